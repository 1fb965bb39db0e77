// Every number and sampler of a fragment shader is highp.
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
