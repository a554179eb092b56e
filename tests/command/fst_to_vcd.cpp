// SPDX-License-Identifier: Apache-2.0
// fst_to_vcd FILE: the waveform as text, by the reader that comes with Verilator.
#define FST_CONFIG_INCLUDE "fst_config.h"
#include <algorithm>

#include "gtkwave/fastlz.c"
#include "gtkwave/fstapi.c"
#include "gtkwave/lz4.c"

int main(int argc, char** argv) {
  void* const wave = argc == 2 ? fstReaderOpen(argv[1]) : nullptr;
  if (wave == nullptr || fstReaderProcessHier(wave, stdout) == 0) return 1;
  fstReaderSetFacProcessMaskAll(wave);
  const int read = fstReaderIterBlocks(wave, nullptr, nullptr, stdout);
  fstReaderClose(wave);
  return read == 0 ? 1 : 0;
}
