#include <Imath/ImathConfig.h>
