#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hopwise beside a BookSim2 that the user has built: the same networks and traffic, speed, latency and saturation of both.

  scripts/peers.py BOOKSIM [-o DIR] [--hopwise build/hopwise] [--only NAME,...] [--cache DIR]

BOOKSIM is its program, or a directory that has it (booksim, or src/booksim). Descriptions, configurations and logs of both stay in
DIR. docs/peers.md says what the rows are, and in what the two differ."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys

LOW = 0.01  # a load without queues
STEP = 0.01  # of BookSim's saturation; as the tolerance of Hopwise's search

# Of a network: Hopwise's description, BookSim's keys, and by pattern BookSim's name of it and a load between low and saturation.
# Packets are single flits in both.
NETWORKS = {
    'torus_8x8': {
        'hopwise': '''topology: {kind: torus, dims: [8, 8]}
link: {latency_cycles: 1}
packet: {flit_bits: 128, max_flits: 1}
router: {vcs: 2, vc_depth_flits: 8}
routing: {algorithm: dor}
''',
        'booksim': {'topology': 'torus', 'k': 8, 'n': 2, 'routing_function': 'dim_order', 'num_vcs': 2, 'vc_buf_size': 8},
        'routers': 64,
        'patterns': {'uniform': ('uniform', 0.4), 'tornado': ('tornado', 0.15)},
    },
    'mesh_4x4': {
        'hopwise': '''topology: {kind: mesh, dims: [4, 4]}
link: {latency_cycles: 1}
packet: {flit_bits: 128, max_flits: 1}
router: {vcs: 2, vc_depth_flits: 8}
routing: {algorithm: dor}
''',
        'booksim': {'topology': 'mesh', 'k': 4, 'n': 2, 'routing_function': 'dim_order', 'num_vcs': 2, 'vc_buf_size': 8},
        'routers': 16,
        'patterns': {'uniform': ('uniform', 0.4), 'tornado': ('tornado', 0.4)},
    },
    'dragonfly_72': {
        'hopwise': '''topology: {kind: dragonfly, terminals_per_router: 2, routers_per_group: 4, global_ports: 2, groups: 9}
link: {latency_cycles: [10, 100]}
packet: {flit_bits: 128, max_flits: 1}
router: {vc_depth_flits: 256}
routing: {algorithm: min}
''',
        'booksim': {'topology': 'dragonflynew', 'k': 2, 'n': 1, 'routing_function': 'min', 'num_vcs': 2, 'vc_buf_size': 256},
        'routers': 36,
        'patterns': {'uniform': ('uniform', 0.4), 'adv+1': ('bad_dragon', 0.06)},
    },
}
# Of every run of BookSim. Its channels of tori and meshes have one cycle with use_noc_latency 0.
COMMON = {'use_noc_latency': 0, 'sim_type': 'latency', 'warmup_periods': 3, 'sample_period': 5000, 'sim_count': 1, 'seed': 1}


class Failed(Exception):
    pass


def find_booksim(place):
    for name in (place, os.path.join(place, 'booksim'), os.path.join(place, 'src', 'booksim')):
        if os.path.isfile(name) and os.access(name, os.X_OK):
            return os.path.abspath(name)
    raise Failed(f'{place}: found no program booksim or src/booksim; expected a BookSim2 that has been built (make in its src)')


def run(command, log):
    """What a command says, which stays in the file `log`, and the processor seconds that it takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors='replace', check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    with open(log, 'w', encoding='utf-8') as file:
        file.write(done.stdout)
    return done, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def parse_booksim(text, where):
    """Of one run: its mean packet latency, accepted flits per terminal and cycle, and cycles; None where it found no steady state."""
    head, mark, overall = text.partition('====== Overall Traffic Statistics ======')
    if not mark:
        if 'Simulation unstable' in text:
            return None
        raise Failed(f'{where}: neither overall statistics nor "Simulation unstable"; expected the output of a run of BookSim2')

    def number(pattern, part):
        found = re.search(pattern + r'([0-9.]+(?:e[+-]?[0-9]+)?)\b', part)
        if not found:
            raise Failed(f'{where}: no line "{pattern.strip()}" with a number; expected the output of a run of BookSim2')
        return float(found[1])

    return {
        'latency': number('Packet latency average = ', overall),
        'accepted': number('Accepted flit rate average = ', overall),
        'cycles': number('Time taken is ', head),
    }


class BookSim:
    def __init__(self, program, directory):
        self.program, self.directory = program, directory

    def point(self, name, pattern, load):
        place = os.path.join(self.directory, f'{name}_{pattern}_{load:.4g}')
        keys = {**NETWORKS[name]['booksim'], **COMMON, 'traffic': NETWORKS[name]['patterns'][pattern][0], 'injection_rate': f'{load:.4g}'}
        with open(place + '.config', 'w', encoding='utf-8') as file:
            file.writelines(f'{key} = {value};\n' for key, value in keys.items())
        done, seconds = run([self.program, place + '.config'], place + '.log')
        found = parse_booksim(done.stdout, place + '.log')
        return found and {**found, 'seconds': seconds}

    def saturation(self, name, pattern):
        """The highest load, in steps, at which a run finds its steady state, with those below: by bisection."""
        low, high = 0, round(1 / STEP) + 1
        while high - low > 1:
            middle = (low + high) // 2
            if self.point(name, pattern, middle * STEP):
                low = middle
            else:
                high = middle
        return low * STEP

    def measure(self, name, pattern):
        middle = NETWORKS[name]['patterns'][pattern][1]
        low, mid = self.point(name, pattern, LOW), self.point(name, pattern, middle)
        cycles = mid and mid['cycles'] / max(mid['seconds'], 1e-9)
        return {'low': low and low['latency'], 'mid': mid and mid['latency'], 'saturation': self.saturation(name, pattern), 'cycles': cycles}


class Hopwise:
    def __init__(self, program, directory, cache):
        self.program, self.directory = program, directory
        self.cache = ['--cache', cache] if cache else []

    def simulate(self, name, pattern, what, *options):
        description, out = (os.path.join(self.directory, end) for end in (f'{name}.yaml', f'{name}_{pattern}_{what}'))
        with open(description, 'w', encoding='utf-8') as file:
            file.write(NETWORKS[name]['hopwise'])
        command = [self.program, 'simulate', description, '-o', out, '--force', '--quiet', '--threads', '1', '--assertions', 'off']
        done, _ = run([*command, *self.cache, '--pattern', pattern, *options], out + '.log')
        if done.returncode != 0:
            raise Failed(f'{out}.log: hopwise ended with status {done.returncode}')
        return [json.load(open(os.path.join(out, f'{file}.json'), encoding='utf-8')) for file in ('results', 'speed')]

    def measure(self, name, pattern):
        middle = NETWORKS[name]['patterns'][pattern][1]
        results, _ = self.simulate(name, pattern, 'curve', '--loads', f'{LOW},{middle}', '--set', 'experiment.find_saturation=true')
        low, mid = (None if p['saturated'] else p['latency_cycles']['mean'] for p in results['points'])
        _, speed = self.simulate(name, pattern, 'speed', '--load', str(middle), '--cycles', '50000', '--engine', 'lanes',
                                 '--set', 'experiment.find_saturation=false')
        saturation = results['saturation'][0]['throughput']
        return {'low': low, 'mid': mid, 'saturation': saturation, 'cycles': speed['points'][0]['network_cycles_per_cpu_s']}


def table(name, pattern, theirs, ours):
    middle, routers = NETWORKS[name]['patterns'][pattern][1], NETWORKS[name]['routers']
    rows = [(f'mean latency at {LOW}, cycles', 'low', '{:.1f}', 1), (f'mean latency at {middle}, cycles', 'mid', '{:.1f}', 1),
            ('saturation, of capacity', 'saturation', '{:.2f}', 1), (f'cycles per CPU second at {middle}', 'cycles', '{:,.0f}', 1),
            (f'router-cycles per CPU second at {middle}', 'cycles', '{:,.0f}', routers)]
    text = f'\n## {name}, {pattern}\n\n| | BookSim2 | Hopwise |\n| --- | ---: | ---: |\n'
    for label, key, form, times in rows:
        values = ('saturated' if side[key] is None else form.format(side[key] * times) for side in (theirs, ours))
        text += f'| {label} | {" | ".join(values)} |\n'
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('booksim')
    parser.add_argument('-o', '--output', default='out/peers')
    parser.add_argument('--hopwise', default='build/hopwise')
    parser.add_argument('--only', default=','.join(NETWORKS))
    parser.add_argument('--cache', help='directory of compiled router models of Hopwise')
    given = parser.parse_args()
    names = given.only.split(',')
    if unknown := [name for name in names if name not in NETWORKS]:
        raise Failed(f'--only: found {", ".join(unknown)}; allowed {", ".join(NETWORKS)}')
    theirs_in, ours_in = (os.path.join(given.output, side) for side in ('booksim', 'hopwise'))
    theirs = BookSim(find_booksim(given.booksim), theirs_in)
    ours = Hopwise(given.hopwise, ours_in, given.cache)
    for directory in (theirs_in, ours_in):
        os.makedirs(directory, exist_ok=True)
    for name in names:
        for pattern in NETWORKS[name]['patterns']:
            print(table(name, pattern, theirs.measure(name, pattern), ours.measure(name, pattern)), end='', flush=True)


if __name__ == '__main__':
    try:
        main()
    except (Failed, OSError, KeyError, ValueError, IndexError) as error:
        sys.exit(f'peers.py: {error}')
