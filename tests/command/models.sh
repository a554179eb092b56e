#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compiles the models that the other tests share.
. "$(dirname "$0")/lib.sh"
expect 0 simulate out --load 0.1 --cycles 100 --pattern uniform
expect 0 simulate wave --load 0.1 --cycles 100 --pattern uniform --routing dor --wave 0
