"""Prints what the accessibility bus of the desktop (AT-SPI) tells a screen reader, as one JSON object per line.

The events are live regions that change, alerts that appear, and moves of the focus, each with what a screen reader
needs to speak: roles, names, descriptions and states. A line `read ROLE NAME` on the standard input prints all that
is in the first object with this role and name, in the order of reading. A line `press KEYSYM` presses a key.
"""

import json
import sys

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

EMBEDDED = "\ufffc"

# The words of ARIA for the roles of AT-SPI. A role that is missing here keeps its name; None: only its content counts.
ROLES = {
    "push button": "button",
    "toggle button": "button",
    "check box": "checkbox",
    "radio button": "radio",
    "entry": "textbox",
    "password text": "textbox",
    "combo box": "combobox",
    "spin button": "spinbutton",
    "list item": "listitem",
    "list box": "listbox",
    "image": "img",
    "progress bar": "progressbar",
    "status bar": "status",
    "notification": "alert",
    "grouping": "group",
    "description term": "term",
    "document web": "document",
    "description list": None,
    "description value": None,
    "list item marker": None,
    "panel": None,
    "section": None,
    "paragraph": None,
    "static": None,
    "text": None,
    "label": None,
    "form": None,
    "filler": None,
    "unknown": None,
    "redundant object": None,
    "internal frame": None,
    "content deletion": None,
    "content insertion": None,
    "block quote": "blockquote",
    "embedded": None,
}

# States that a screen reader speaks, with the words for them.
STATES = [
    (Atspi.StateType.EXPANDED, "expanded"),
    (Atspi.StateType.REQUIRED, "required"),
    (Atspi.StateType.INVALID_ENTRY, "invalid"),
    (Atspi.StateType.BUSY, "busy"),
    (Atspi.StateType.PRESSED, "pressed"),
]


def attributes_of(node):
    try:
        return node.get_attributes() or {}
    except GLib.Error:
        return {}


def role_of(node):
    name = node.get_role_name()
    aria = attributes_of(node).get("xml-roles", "").split(" ")[0]
    if aria in ("group", "radiogroup", "status", "alert", "region", "search", "main", "navigation", "banner"):
        return aria
    if attributes_of(node).get("tag") == "dl":
        return None
    # A form is a landmark only if it has a name.
    if name in ("form", "landmark") and attributes_of(node).get("tag") == "form":
        return "form" if node.get_name() else None
    if aria in ("complementary", "contentinfo", "listbox", "combobox", "option", "img", "dialog", "log"):
        return aria
    return ROLES.get(name, name)


def states_of(node, role):
    states = node.get_state_set()
    found = [word for state, word in STATES if states.contains(state)]
    if role in ("checkbox", "radio"):
        found.insert(0, "checked" if states.contains(Atspi.StateType.CHECKED) else "not checked")
    if states.contains(Atspi.StateType.EXPANDABLE) and "expanded" not in found:
        found.append("collapsed")
    # The list of a combobox opens and closes with the events that ask for this.
    if role == "combobox":
        found = [word for word in found if word not in ("expanded", "collapsed")]
    if not states.contains(Atspi.StateType.ENABLED) and role in ("button", "link", "textbox", "combobox", "option"):
        found.append("unavailable")
    return found


def text_of(node):
    """The text of an object, with a placeholder for each object in it. None if it has no text."""
    try:
        text = node.get_text_iface()
        return Atspi.Text.get_text(text, 0, -1) if text else None
    except GLib.Error:
        return None


def children_of(node):
    return [child for child in (node.get_child_at_index(i) for i in range(node.get_child_count())) if child]


def children_in_text(node, text):
    """The objects that the placeholders in a text stand for, by their position."""
    found = {}
    hypertext = node.get_hypertext_iface()
    if not hypertext:
        return found
    for index in range(Atspi.Hypertext.get_n_links(hypertext)):
        link = Atspi.Hypertext.get_link(hypertext, index)
        found[link.get_start_index()] = link.get_object(0)
    return found


def plain_text(node):
    """All text in an object, as a screen reader speaks a live region."""
    return " ".join(" ".join(line["text"] if "text" in line else line["name"] for line in lines_of(node)).split())


def describe(node):
    """What a screen reader speaks about an object that has the focus, or contains it."""
    role = role_of(node)
    # Firefox names items after their content.
    name = "" if role in ("listitem", "document") else node.get_name() or ""
    described = {"role": role, "name": name, "description": node.get_description() or ""}
    described["states"] = states_of(node, role)
    if role in ("textbox", "combobox", "spinbutton", "searchbox"):
        described["value"] = (text_of(node) or "").replace(EMBEDDED, "")
    level = attributes_of(node).get("level")
    if role == "heading" and level:
        described["level"] = int(level)
    return described


# Their name is their content, so the content is not read again.
LEAVES = ("button", "link", "checkbox", "radio", "textbox", "combobox", "img", "progressbar", "option", "spinbutton")


def lines_of(node):
    """The content of an object in the order of reading."""
    text = text_of(node)
    if text is None:
        for child in children_of(node):
            yield from lines_of_child(child)
        return
    links = children_in_text(node, text) if EMBEDDED in text else {}
    start = 0
    for position, character in enumerate(text):
        if character != EMBEDDED:
            continue
        if text[start:position].strip():
            yield {"text": text[start:position].strip()}
        start = position + 1
        child = links.get(position)
        if child:
            yield from lines_of_child(child)
    if text[start:].strip():
        yield {"text": text[start:].strip()}


def is_caption(node):
    """Whether an object only repeats the name of another one, as the label of a field does."""
    return any(
        relation.get_relation_type() == Atspi.RelationType.LABEL_FOR
        and (relation.get_target(0).get_name() or "") == (node.get_name() or text_of(node) or "").strip()
        for relation in node.get_relation_set()
    )


def lines_of_child(child):
    role = role_of(child)
    if role is None and is_caption(child):
        # A label may contain its field.
        yield from (line for line in lines_of(child) if "text" not in line)
        return
    if role is None and child.get_child_count() == 0 and not text_of(child) and (child.get_name() or "").strip():
        yield {"text": child.get_name().strip()}
        return
    if role is None:
        yield from lines_of(child)
        return
    if role in LEAVES:
        yield describe(child)
        return
    inner = list(lines_of(child))
    yield {**describe(child), "children": inner}


def find(node, role, name):
    if role_of(node) == role and (not name or node.get_name() == name):
        return node
    for child in children_of(node):
        found = find(child, role, name)
        if found:
            return found
    return None


def path_of(node):
    """An object and all that contain it, from the document down."""
    path = []
    while node:
        path.append(node)
        if node.get_role_name() == "document web":
            break
        node = node.get_parent()
    return path[::-1]


def is_in_page(node):
    path = path_of(node)
    return bool(path) and path[0].get_role_name() == "document web"


def send(line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


before = []


def on_event(event):
    global before
    try:
        kind = event.type
        node = event.source
        if kind.startswith("object:state-changed:focused"):
            if not event.detail1:
                return
            path = path_of(node)
            if not is_in_page(node):
                return
            focused = describe(node)
            if not focused["name"] and focused["role"] not in ("document", "textbox", "combobox"):
                focused["name"] = plain_text(node)
            entered = [one for one in path[:-1] if one not in before and role_of(one) is not None]
            before = path
            send({"kind": "focus", **focused, "entered": [describe(one) for one in entered]})
        elif kind.startswith("object:active-descendant-changed") or kind.startswith("object:state-changed:selected"):
            option = event.any_data if isinstance(event.any_data, Atspi.Accessible) else node
            if role_of(option) == "option" and (event.detail1 or option is not node) and is_in_page(option):
                send({"kind": "option", "text": option.get_name() or plain_text(option)})
        elif kind.startswith("object:text-changed:insert"):
            attributes = attributes_of(node)
            live = attributes.get("container-live") or attributes.get("live")
            if live and live != "off":
                send({"kind": "live", "live": live, "text": event.any_data or "", "role": role_of(node)})
        elif kind.startswith("object:state-changed:showing"):
            if event.detail1 and role_of(node) == "alert" and is_in_page(node):
                send({"kind": "alert", "text": plain_text(node)})
        elif kind.startswith("object:announcement") or kind.startswith("object:notification"):
            send({"kind": "announcement", "text": str(event.any_data)})
        elif kind.startswith("object:children-changed:add"):
            live = attributes_of(node).get("container-live")
            if live and live != "off" and isinstance(event.any_data, Atspi.Accessible):
                send({"kind": "added", "live": live, "text": plain_text(event.any_data)})
    except GLib.Error as error:
        send({"kind": "error", "text": str(error)})


def on_input(_source, _condition):
    line = sys.stdin.readline()
    if not line:
        Atspi.event_quit()
        return False
    verb, _, rest = line.strip().partition(" ")
    role, _, name = rest.partition(" ")
    if verb == "press":
        Atspi.generate_keyboard_event(int(rest), None, Atspi.KeySynthType.SYM)
        send({"kind": "pressed"})
        return True
    try:
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        found = find(desktop, role, name) if verb == "read" else None
        send({"kind": "read", "lines": list(lines_of(found)) if found else None})
    except GLib.Error as error:
        send({"kind": "read", "error": str(error)})
    return True


Atspi.init()
listener = Atspi.EventListener.new(on_event)
for name in (
    "object:active-descendant-changed",
    "object:announcement",
    "object:notification",
    "object:state-changed:selected",
    "object:text-changed:insert",
    "object:children-changed:add",
    "object:state-changed:focused",
    "object:state-changed:showing",
):
    try:
        listener.register(name)
    except GLib.Error as error:
        send({"kind": "error", "text": f"{name}: {error}"})
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, on_input)
send({"kind": "ready"})
Atspi.event_main()
