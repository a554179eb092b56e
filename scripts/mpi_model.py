#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What one simulation over many ranks of `hopwise --mpi` takes, from what it was measured to take over few.

scripts/mpi_model.py DIR... prints two tables: what was measured, and the model. Each DIR holds results.json and speed.json of a run
of a dragonfly or a torus with uniform traffic (of several points the last counts): with --mpi over several ranks, of which the
cost of messages is taken, or of one process, of which that of routers is. Assumptions, beside those of the options:

* traffic is uniform, paths are minimal, gateways of a group are anywhere in it; what crosses between ranks is counted on
  drawn paths (--pairs of them), and scaled by what was measured of what is drawn;
* a router, with its terminals, takes the processor time of those in the measured network of the kind that is nearest in ports, times
  the ratio of ports to the power that the measured networks of fewest and most ports give, or 1;
* writing and reading a byte takes the most that was measured, a message --message-us beside;
* a rank waits for what of --latency-us and the transfer at --gigabytes-per-s (each rank's own) the cycles that pass before
  messages are needed do not hide, and for 12 collective calls in each window of --window cycles, each a latency for each
  doubling of the ranks; the largest rank decides, and nothing else makes ranks wait for each other.
"""
import argparse
import bisect
import json
import math
import pathlib
import random


COLLECTIVES = 12  # of a window: six lists, each with their lengths


class Network:
    """Routers 0 .. routers-1, and the path of a packet as routers."""

    def __init__(self, kind, numbers, latencies):
        self.kind, self.numbers, self.latencies = kind, numbers, latencies
        if kind == 'dragonfly':
            p, a, h, g, rows = self.numbers = [*numbers, 1][:5]
            self.columns = a // rows
            self.routers, self.per_router, self.ports = a * g, p, p + self.columns - 1 + rows - 1 + h
            self.name = f'dfly({p},{a},{h},{g})' + (f', groups of {rows} rows' if rows > 1 else '')
        else:
            self.routers, self.per_router, self.ports = math.prod(numbers), 1, 2 * len(numbers) + 1
            self.name = 'torus ' + 'x'.join(map(str, numbers))
        self.terminals = self.routers * self.per_router

    def path(self, draw):
        s, d = draw.randrange(self.routers), draw.randrange(self.routers)
        if self.kind == 'dragonfly':
            a = self.numbers[1]
            if s // a == d // a:
                return self.local(s, d)
            return self.local(s, s // a * a + draw.randrange(a)) + self.local(d // a * a + draw.randrange(a), d)
        path, at, stride = [s], s, 1
        for n in self.numbers:
            here, there = at // stride % n, d // stride % n
            step = 1 if (there - here) % n <= n // 2 else -1
            while here != there:
                at += ((here + step) % n - here) * stride
                here = (here + step) % n
                path.append(at)
            stride *= n
        return path

    def local(self, s, d):
        """Within a group: along the row, then along the column."""
        return [s, s // self.columns * self.columns + d % self.columns, d]

    def cuts(self, ranks):
        """As engine/boundary.cpp makes them."""
        group = self.numbers[1] if self.kind == 'dragonfly' else 1
        cuts = []
        for i in range(1, ranks):
            even = self.routers * i // ranks
            reach = self.routers // ranks // 16
            near = [p for p in (even // group * group, -(-even // group) * group) if abs(p - even) <= reach]
            cuts.append(min(near, key=lambda p: abs(p - even)) if near else even)
        return [0] + cuts + [self.routers]

    def shortest_cut(self, cuts):
        """Core cycles of the shortest link between ranks, and of the shortest of all, with the cycle of the register."""
        if self.kind != 'dragonfly':
            return self.latencies[0] + 1, self.latencies[0] + 1
        whole = all(c % self.numbers[1] == 0 for c in cuts)
        return (self.latencies[1] if whole else min(self.latencies)) + 1, min(self.latencies) + 1

    def crossings(self, cuts, pairs):
        """Per packet: hops between ranks, and whether source and destination are apart."""
        draw, hops, apart = random.Random(1), 0, 0
        rank = lambda router: bisect.bisect_right(cuts, router)
        for _ in range(pairs):
            ranks = [rank(r) for r in self.path(draw)]
            hops += sum(x != y for x, y in zip(ranks, ranks[1:]))
            apart += ranks[0] != ranks[-1]
        return hops / pairs, apart / pairs


class Run:
    """What was measured."""

    def __init__(self, directory, pairs, message_s):
        results = json.loads((directory / 'results.json').read_text())
        point, speed = results['points'][-1], json.loads((directory / 'speed.json').read_text())['points'][-1]
        n = results['network']
        if n['kind'] == 'dragonfly':
            t = n['topology']
            numbers = [n['terminals_per_router'], t['routers_per_group'], t['global_ports'], t['groups'], t['group_rows']]
        else:
            numbers = n['dims']
        self.network = Network(n['kind'], numbers, n['link_latency_cycles'])
        self.label = f"{self.network.name}, {point['routing']}, {point['offered_load']:g}"
        self.ranks = speed.get('ranks', [])
        self.cycles = speed['cycles']
        self.cpu = speed['cpu_s']
        self.flits = point['accepted_flits_per_core_cycle']  # of a terminal
        self.mean_flits = self.flits * self.network.terminals * point['measured_cycles'] / sum(b[1] for b in point['histogram'])
        self.flit_bytes = (n['flit_bits'] + 63) // 64 * 8
        exchange = sum(r['exchange_s'] for r in self.ranks)
        self.router_s = (self.cpu - exchange) / self.cycles / self.network.routers
        self.byte_s, self.drawn = None, 1.0
        if self.ranks:
            sent = sum(r['bytes'] for r in self.ranks)
            self.byte_s = (exchange - message_s * sum(r['messages'] for r in self.ranks)) / sent
            self.drawn = self.bytes_per_cycle(self.network, len(self.ranks), pairs) * self.cycles / sent

    def bytes_per_cycle(self, network, ranks, pairs):
        """Of all ranks together, with this run's traffic: see docs/reference/mpi.md."""
        hops, apart = network.crossings(network.cuts(ranks), pairs)
        flits = self.flits * network.terminals
        packets = flits / self.mean_flits
        records = 48 if self.mean_flits < 1.5 else 96
        return flits * hops * (4 + self.flit_bytes + 4) + packets * apart * (records + 8) + ranks * (ranks - 1) * 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('runs', nargs='+', type=pathlib.Path, metavar='DIR')
    parser.add_argument('--ranks', type=int, default=64)
    parser.add_argument('--network', action='append', metavar='KIND:N,N,...',
                        help='dragonfly:p,a,h,g[,rows] or torus:n,n,...; default: about 10,000 and 100,000 terminals of the kinds measured')
    parser.add_argument('--message-us', type=float, default=2, help='processor time to send and receive a message')
    parser.add_argument('--latency-us', type=float, default=5, help='of a message between machines')
    parser.add_argument('--window', type=float, default=100, help='cycles from one look at the statistics to the next')
    parser.add_argument('--gigabytes-per-s', type=float, default=1, help='of a rank, between machines')
    parser.add_argument('--pairs', type=int, default=100000, help='paths that are drawn')
    args = parser.parse_args()
    runs = [Run(directory, args.pairs, 1e-6 * args.message_us) for directory in args.runs]
    print('| measured | ranks | network cycles/s of a core | us for a router and cycle | ns for a byte | bytes drawn, of measured |')
    print('|---|---|---|---|---|---|')
    for r in runs:
        byte = f'{1e9 * r.byte_s:.2f} | {r.drawn:.2f}' if r.ranks else '- | -'
        print(f'| {r.label} | {len(r.ranks) or 1} | {r.cycles / r.cpu:.0f} | {1e6 * r.router_s:.3f} | {byte} |')
    over_ranks = [r for r in runs if r.ranks]
    if not over_ranks:
        parser.error('one of the runs must be over several ranks')
    byte_s = max(r.byte_s for r in over_ranks)
    kinds = {r.network.kind for r in runs}
    low, high = (f(runs, key=lambda r: r.network.ports) for f in (min, max))
    power = 1.0
    if low.network.ports != high.network.ports:
        power = math.log(high.router_s / low.router_s) / math.log(high.network.ports / low.network.ports)
    targets = args.network or [t for t in ('dragonfly:8,16,8,79', 'dragonfly:8,96,10,131,6', 'torus:22,22,22')
                               if t.split(':')[0] in kinds]
    print(f'\nCost of a router: ports to the power {power:.2f}.\n')
    print('| network | terminals | ranks | us a cycle: routers | messages | waiting | network cycles/s | MB/s sent by a rank |')
    print('|---|---|---|---|---|---|---|---|')
    for target in targets:
        kind, numbers = target.split(':')
        of_kind = sorted((r for r in runs if r.network.kind == kind), key=lambda r: r.network.ports)
        network = Network(kind, [int(n) for n in numbers.split(',')], of_kind[0].network.latencies)
        near = min(of_kind, key=lambda r: abs(math.log(r.network.ports / network.ports)))
        router_s = near.router_s * (network.ports / near.network.ports) ** power
        cuts = network.cuts(args.ranks)
        most = max(y - x for x, y in zip(cuts, cuts[1:]))
        shortest_cut, shortest = network.shortest_cut(cuts)
        epoch = min(shortest, 64)
        hidden = min(shortest_cut, 2 * epoch) - epoch
        routers = most * router_s
        drawn = min((r.drawn for r in of_kind if r.ranks), default=1.0)
        sent = near.bytes_per_cycle(network, args.ranks, args.pairs) / drawn / args.ranks
        messages = sent * byte_s + (args.ranks - 1) * 1e-6 * args.message_us / epoch
        transfer = 1e-6 * args.latency_us + sent * epoch / (1e9 * args.gigabytes_per_s)
        waiting = max(0.0, transfer - hidden * (routers + messages)) / epoch
        waiting += COLLECTIVES * math.ceil(math.log2(args.ranks)) * 1e-6 * args.latency_us / args.window
        cycle = routers + messages + waiting
        print(f'| {network.name} | {network.terminals:,} | {args.ranks} | {1e6 * routers:.0f} | {1e6 * messages:.0f} '
              f'| {1e6 * waiting:.0f} | {1 / cycle:,.0f} | {sent / cycle / 1e6:.0f} |')


if __name__ == '__main__':
    main()
