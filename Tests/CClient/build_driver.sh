#!/bin/sh
# Builds fake_driver.so: build_driver.sh FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
# shellcheck disable=SC2046
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -O1 -shared -fPIC $(pkg-config --cflags egl glesv2) \
  -o "$1/fake_driver.so" "$here/fake_driver.c" $(pkg-config --libs egl glesv2) -ldl
