// SPDX-License-Identifier: Apache-2.0
// Runs the smoke test under Verilator. It has a `main` of its own because Verilator 5.006 writes
// that of `--main` into every hierarchical block as well.
#include "Vsmoke_tb.h"
#include "verilated.h"

int main(int argc, char** argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  context.fatalOnError(false);  // $fatal and assertions end in a status, not in a core dump
  Vsmoke_tb bench(&context);
  bench.eval();
  while (!context.gotFinish() && bench.eventsPending()) {
    context.time(bench.nextTimeSlot());
    bench.eval();
  }
  bench.final();
  return context.gotFinish() && !context.gotError() ? 0 : 1;
}
