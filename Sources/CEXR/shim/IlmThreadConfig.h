#include <OpenEXR/IlmThreadConfig.h>
