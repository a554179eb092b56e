#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of published figures in a page, made of the files that `hopwise campaign collect` writes.

  scripts/published_tables.py [--check] PAGE [RESULTS]

A table stands between `<!-- table: FILE [FIGURE...] -->` and `<!-- /table -->`: the rows of RESULTS/FILE (default campaigns/results),
all or those whose figure begins so. Without --check the page is written anew where a table is not what its file says; with it that is
an error, exit status 1."""
import argparse
import collections
import csv
import os
import re
import sys

BEGIN = re.compile(r'<!-- table: (\S+\.csv)((?: [^>]+?)?) -->')
END = '<!-- /table -->'
UNITS = {'ns': 'ns', 'us': 'us', 'flits': 'flits', 'link_cycles': 'link cycles'}


def printed(text):
    """A published number as the paper has it, thousands set apart; any other text as it is."""
    return f'{int(text):,}' if re.fullmatch(r'\d{4,}', text) else text


def number(text):
    """A measured number in three or four digits; nothing: it was not measured."""
    if not text:
        return '–'
    value = float(text)
    if value == 0:
        return '0'
    digits = next((d for bound, d in ((1, 3), (10, 2), (100, 1)) if abs(value) < bound), 0)
    return f'{value:,.{digits}f}'


def quantity(name):
    for end, unit in sorted(UNITS.items(), key=lambda item: -len(item[0])):
        if name.endswith('_' + end):
            return f"{name[:-len(end) - 1].replace('_', ' ')}, {unit}"
    return re.sub(r'_of (\S+)$', r' of that of `\1`', name).replace('_mean', ' mean').replace('below_2us', 'share below 2 us')


def verdicts(rows):
    """How many rows have which verdict, the most frequent one first."""
    counts = collections.Counter(row['verdict'].replace('differs', 'differ') for row in rows)
    return f"Of {len(rows)}: {', '.join(f'{count} {verdict}' for verdict, count in counts.most_common())}."


def cell(rows):
    """Measured / published, bold where they differ; a number of a rerun of the authors' program is marked so."""
    published = ', '.join(printed(row['published']) + (' (rerun)' if row['source'] == 'rerun' else '') for row in rows)
    text = f"{number(rows[0]['measured'])} / {published}"
    if rows[0]['verdict'] == 'differs':
        text = f'**{text}**'
    if rows[0]['accepted_at_1']:
        text += f" ({number(rows[0]['accepted_at_1'])}, {number(rows[0]['worst_terminal_at_1'])})"
    return text


def traffic(row):
    """The pattern and, where it is given, its load: a closed loop has its own."""
    given = re.fullmatch(r'[01]\.\d{1,4}', row['load'])
    return f"{row['pattern']}, {row['load']}" if given else row['pattern']


def values(rows):
    routings = list(dict.fromkeys(row['routing'] for row in rows))
    # What was published without a load stands beside what was measured at the one that is assumed.
    kind = lambda row: (row['network'], row['figure'], row['pattern'], row['quantity'])
    loads = collections.defaultdict(set)
    for row in rows:
        if row['load'] != 'any':
            loads[kind(row)].add(row['load'])
    lines = {}
    for row in rows:
        if row['load'] == 'any' and len(loads[kind(row)]) == 1:
            row = row | {'load': min(loads[kind(row)])}
        key = (row['network'], row['figure'], traffic(row), quantity(row['quantity']))
        lines.setdefault(key, {}).setdefault(row['routing'], []).append(row)
    head = ['figure', 'traffic, load', 'quantity'] + [f'`{name}`' for name in routings]
    table = [head, ['---'] * len(head)]
    before = rows[0]['network']
    for (network, figure, where, what), cells in lines.items():
        figure += f', {network}' if network != before else ''
        before = network
        table.append([figure, where, what] + [cell(cells[name]) if name in cells else '' for name in routings])
    return table


def statements(rows):
    head = ['figure', 'statement', 'traffic, load', 'of', 'asked', 'measured', '']
    table = [head, ['---'] * len(head)]
    for row in rows:
        table.append([row['figure'], row['quantity'], traffic(row), row['routing'], row['published'], number(row['measured']), row['verdict']])
    return table


def table_of(rows):
    table = statements(rows) if rows[0]['source'] == 'statement' else values(rows)
    lines = ['| ' + ' | '.join(line) + ' |' for line in table]
    lines[1] = '|' + '---|' * len(table[0])
    return '\n'.join(re.sub(r'\|  (?=\|)', '| ', line) for line in lines) + '\n\n' + verdicts(rows)


def filled(page, results):
    """The page with its tables as the files have them. Errors: ValueError."""
    parts, at = [], 0
    for begin in BEGIN.finditer(page):
        end = page.find(END, begin.end())
        if begin.start() < at or end < 0:
            raise ValueError(f'{begin.group(0)}: no {END} behind it')
        with open(os.path.join(results, begin.group(1)), newline='', encoding='utf-8') as file:
            rows = list(csv.DictReader(file))
        figures = begin.group(2).split()
        rows = [row for row in rows if not figures or any(re.match(re.escape(f) + r'(?!\d)', row['figure']) for f in figures)]
        if not rows:
            raise ValueError(f'{begin.group(0)}: no row')
        parts += [page[at:begin.end()], '\n', table_of(rows), '\n']
        at = end
    if not parts:
        raise ValueError('the page has no table')
    return ''.join(parts) + page[at:]


def main():
    parser = argparse.ArgumentParser(description='The tables of published figures in a page.')
    parser.add_argument('--check', action='store_true')
    parser.add_argument('page')
    parser.add_argument('results', nargs='?', default='campaigns/results')
    options = parser.parse_args()
    with open(options.page, encoding='utf-8') as file:
        page = file.read()
    try:
        wanted = filled(page, options.results)
    except (OSError, ValueError) as error:
        sys.exit(f'{options.page}: {error}')
    if wanted == page:
        print(f'{options.page}: {len(BEGIN.findall(page))} tables are what their files say')
        return
    if options.check:
        differs = next(i for i, (a, b) in enumerate(zip(page.splitlines() + [''], wanted.splitlines() + [''])) if a != b)
        sys.exit(f'{options.page}:{differs + 1}: not what the results say; scripts/published_tables.py {options.page} writes it')
    with open(options.page + '.new', 'w', encoding='utf-8') as file:
        file.write(wanted)
    os.replace(options.page + '.new', options.page)


if __name__ == '__main__':
    main()
