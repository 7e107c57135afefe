"""Prints what the includes for Jinja print. Argument: the folder of the includes. Jobs come from the standard input."""

import json
import sys

from jinja2 import Environment, FileSystemLoader

engine = Environment(loader=FileSystemLoader(sys.argv[1]), autoescape=True)
printed = []
for job in json.load(sys.stdin):
    macro = job["tag"].replace("-", "_")
    template = "{% from 'routeslip.html.jinja' import " + macro + " %}{{ " + macro + "(values, content) }}"
    printed.append(engine.from_string(template).render(values=job["values"], content=job["content"]))
call = "{% from 'routeslip.html.jinja' import wf_history %}{% call wf_history({'package-id': 42}) %}<b>See</b>{% endcall %}"
assert engine.from_string(call).render() == '<wf-history package-id="42"><b>See</b></wf-history>'
print(json.dumps(printed))
