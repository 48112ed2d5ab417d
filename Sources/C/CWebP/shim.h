#pragma once
// The encoder is for the tests.
#include <webp/decode.h>
#include <webp/encode.h>
