#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs_site.py ROOT OUT [REPORTS]: the pages of docs/ as a site that works offline, OUT/site/index.html, made strictly by MkDocs and
checked: every link and anchor of every page leads somewhere within the site. REPORTS: what gallery.py has made; the page of the
gallery shows and links to what is there.

Pages stay as they are. MkDocs gets a copy of the tree in OUT/pages with the pages and all files of the tree that they link to, at
their places; a directory that is linked to gets a page that lists it."""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

LINK = re.compile(r'\]\(([^)#:\s]+)(?:#[^)\s]*)?\)|src="([^":]+)"')
BUNDLE = re.compile(r'<script src="([^"]*)assets/javascripts/bundle')
GALLERY = re.compile(r'<!-- gallery: (\w+) -->')
SECTIONS = [('Start here', 'Start here'), ('Using it', 'Reference: using it'), ('Routing', 'Reference: routing and its proof'),
            ('Hardware', 'Reference: hardware'), ('Decisions', 'Decisions')]


def pages_of(root):
    return [root / name for name in ('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md')] + sorted((root / 'docs').rglob('*.md'))


def stage(root, pages):
    """Copies pages and what they link to. Returns the directories that are linked to."""
    directories = set()
    for page in pages_of(root):
        text = page.read_text()
        to = pages / page.relative_to(root)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)
        for match in LINK.finditer(text):
            target = (page.parent / urllib.parse.unquote(match[1] or match[2])).resolve()
            if root not in target.parents:
                continue
            place = pages / target.relative_to(root)
            if target.is_dir():
                directories.add(target)
            elif target.is_file() and target.suffix != '.md':
                if target.name.startswith('.'):
                    place = place.with_name(target.name[1:] + '.txt')
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(target, place)
    for directory in directories:
        place = pages / directory.relative_to(root)
        place.mkdir(parents=True, exist_ok=True)
        files = sorted(f for f in directory.iterdir() if f.is_file())
        for file in files:
            if file.suffix != '.md':
                shutil.copyfile(file, place / file.name)
        lines = [f'* [{f.name}]({f.name})' for f in files if f.suffix != '.md']
        (place / 'index.md').write_text(f'# {directory.relative_to(root)}\n\n' + '\n'.join(lines) + '\n')
    # A link to a directory is one to its page; MkDocs leaves out files that begin with a dot.
    for page in pages_of(root):
        to = pages / page.relative_to(root)

        def mend(match):
            word = match[1] or ''
            target = (page.parent / word).resolve()
            if word and target in directories:
                return match[0].replace(word, word.rstrip('/') + '/index.md', 1)
            if word and target.name.startswith('.') and target.is_file():
                return match[0].replace(target.name, target.name[1:] + '.txt', 1)
            return match[0]

        to.write_text(LINK.sub(mend, to.read_text()))


def hang(reports, pages):
    """Puts reports and their pictures into the page of the gallery."""
    page = pages / 'docs/gallery.md'
    parts = GALLERY.split(page.read_text())  # text, name, text, name, ...
    for i in range(1, len(parts), 2):
        name = parts[i]
        if not (reports / name / 'report.html').is_file():
            continue
        (pages / 'docs/gallery').mkdir(exist_ok=True)
        shutil.copyfile(reports / name / 'report.html', pages / f'docs/gallery/{name}.html')
        shown = f'[The report](gallery/{name}.html)'
        if (reports / name / 'report.png').is_file():
            shutil.copyfile(reports / name / 'report.png', pages / f'docs/gallery/{name}.png')
            shown += f'\n\n[![how it begins](gallery/{name}.png)](gallery/{name}.html)'
        parts[i] = shown
    # Where there is no report the name of one is nothing to read.
    page.write_text(''.join(part if i % 2 == 0 or part.startswith('[') else '' for i, part in enumerate(parts)))


def navigation(root):
    """The sections of docs/index.md."""
    entries, section = {}, None
    for line in (root / 'docs/index.md').read_text().splitlines():
        if line.startswith('## '):
            section = line[3:]
        found = re.match(r'\* \[(.+?)\]\(([^)]+\.md)\)', line)
        if found and section:
            entries.setdefault(section, []).append({found[1].replace('`', ''): 'docs/' + found[2]})
    return [{'Home': 'README.md'}, {'Contents': 'docs/index.md'}] + [
        {title: entries[name]} for title, name in SECTIONS if name in entries
    ] + [{'Changelog': 'CHANGELOG.md'}, {'Contributing': 'CONTRIBUTING.md'}]


def configure(root, out):
    shutil.copyfile(root / 'scripts/docs_site.js', out / 'pages/offline_search.js')
    config = {
        'site_name': 'Hopwise', 'site_url': '', 'docs_dir': 'pages', 'site_dir': 'site', 'use_directory_urls': False,
        'nav': navigation(root),
        'theme': {
            'name': 'material', 'font': False, 'language': 'en', 'features': ['navigation.indexes', 'navigation.top', 'search.highlight'],
            'palette': [{'media': '(prefers-color-scheme: light)', 'scheme': 'default', 'primary': 'blue grey'},
                        {'media': '(prefers-color-scheme: dark)', 'scheme': 'slate', 'primary': 'blue grey'}]},
        'plugins': [{'search': {'lang': 'en'}}],
        'markdown_extensions': ['tables', 'fenced_code', {'toc': {'permalink': True}}, 'sane_lists'],
    }
    (out / 'mkdocs.json').write_text(json.dumps(config, indent=1))  # JSON is YAML


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for key in ('id', 'name'):
            if attrs.get(key):
                self.anchors.add(attrs[key])
        for key in ('href', 'src'):
            if attrs.get(key):
                self.links.append(attrs[key])


def check_links(site):
    """What leads nowhere. Links into the network are not followed; the site loads nothing from there."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob('*.html'))}
    faults, looked = [], 0
    for path, page in pages.items():
        if path.name == '404.html':
            continue
        for link in page.links:
            looked += 1
            if re.match(r'(https?:|mailto:|data:|javascript:)', link):
                continue
            word, _, anchor = link.partition('#')
            word = urllib.parse.unquote(word.partition('?')[0])
            target = (path.parent / word).resolve() if word else path
            if target.is_dir():
                target = target / 'index.html'
            if not target.exists():
                faults.append(f'{path.relative_to(site)}: {link} leads nowhere')
            elif anchor and target in pages and anchor not in pages[target].anchors and anchor != '__drawer':
                faults.append(f'{path.relative_to(site)}: {link}: no such heading')
    for path in site.rglob('*.html'):
        for source in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?:[^"]+)"', path.read_text()):
            faults.append(f'{path.relative_to(site)}: {source} is loaded from the network')
    return faults, looked, len(pages)


def main():
    root, out, *reports = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
    shutil.rmtree(out, ignore_errors=True)
    (out / 'pages').mkdir(parents=True)
    stage(root, out / 'pages')
    for directory in reports:
        hang(directory, out / 'pages')
    configure(root, out)
    made = subprocess.run(['mkdocs', 'build', '--strict', '--config-file', str(out / 'mkdocs.json')], cwd=out, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={**os.environ, 'SOURCE_DATE_EPOCH': '0'})
    if made.returncode != 0:
        print('\n'.join(line for line in made.stdout.splitlines() if not line.startswith('INFO')), file=sys.stderr)
        sys.exit(1)
    site = out / 'site'
    index = (site / 'search/search_index.json').read_text()
    (site / 'search/search_index.js').write_text(f'var __search = {{ index: Promise.resolve({index}) }};\n')
    for path in site.rglob('*.html'):
        path.write_text(BUNDLE.sub(r'<script src="\1offline_search.js"></script>\g<0>', path.read_text(), count=1))
    faults, looked, pages = check_links(site)
    for fault in faults:
        print(fault, file=sys.stderr)
    if faults:
        sys.exit(1)
    print(f'{pages} pages, {looked} links: {site / "index.html"}')


main()
