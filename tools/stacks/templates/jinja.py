"""Prints what Jinja makes of a template for each id, with and without automatic escaping."""

import json
import sys

from jinja2 import Environment

job = json.load(sys.stdin)
engines = [Environment(autoescape=escapes) for escapes in (True, False)]
print(json.dumps([engine.from_string(job["template"]).render(id=id) for engine in engines for id in job["ids"]]))
