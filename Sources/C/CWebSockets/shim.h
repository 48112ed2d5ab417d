#pragma once
#include <libwebsockets.h>

// What the importer can't see: macros that are no plain numbers.

static inline size_t ph_lws_room_before(void) { return LWS_PRE; }
static inline uint64_t ph_lws_checked_text(void) { return LWS_SERVER_OPTION_VALIDATE_UTF8; }
static inline uint64_t ph_lws_without_ipv6(void) { return LWS_SERVER_OPTION_DISABLE_IPV6; }
