#include <cwlcs.h>

// Swift can't name a constant for others, so it stands here.
struct cwlcs_server *porthole_wlcs_create_server(int argc, const char **argv);
void porthole_wlcs_destroy_server(struct cwlcs_server *);

__attribute__((visibility("default"))) extern const struct cwlcs_integration wlcs_server_integration;
const struct cwlcs_integration wlcs_server_integration = {
    .version = 1,
    .create_server = porthole_wlcs_create_server,
    .destroy_server = porthole_wlcs_destroy_server,
};
