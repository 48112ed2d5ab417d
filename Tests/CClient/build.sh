#!/bin/sh
# Builds show_layer from the protocol's XML alone: build.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$1
mkdir -p "$out"
xml="$here/../../protocol/porthole-v1.xml"
wayland-scanner --strict client-header "$xml" "$out/porthole-v1-client.h"
wayland-scanner --strict private-code "$xml" "$out/porthole-v1.c"
# shellcheck disable=SC2046
${CC:-cc} -std=c11 -Wall -Wextra -Werror -O1 -I"$out" $(pkg-config --cflags wayland-client) \
  -o "$out/show_layer" "$here/show_layer.c" "$out/porthole-v1.c" $(pkg-config --libs wayland-client)
