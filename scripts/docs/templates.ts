import { type ElementFacts, readElements, tags } from './manifest.ts'

// Includes for pages that a server renders. Each prints an element with the attributes of its class comment, escaped, and with
// content that is shown until the script has loaded. They are generated so that no list of attributes has to be kept by hand.

/** A file below integrations/templates. */
export interface Template {
  readonly file: string
  readonly text: () => string
}

/** Attributes of every element in HTML that a page may need. */
const general: readonly string[] = ['id', 'class', 'slot']

const note = 'Written by scripts/docs/write.ts.'
const usage = 'Values are escaped. Attributes that the element does not have are left out.'

interface Facts {
  readonly tag: string
  /** The tag as an identifier: `wf_history`. */
  readonly macro: string
  readonly names: readonly string[]
  /** The names of boolean attributes. */
  readonly flags: readonly string[]
}

const facts = (): readonly Facts[] => readElements().map(factsOf)

function factsOf({ tagName, attributes }: ElementFacts): Facts {
  const flags = attributes.filter(({ type }) => type.text === 'boolean').map(({ name }) => name)
  return {
    tag: tagName,
    macro: tagName.replaceAll('-', '_'),
    names: [...general, ...attributes.map(({ name }) => name)],
    flags,
  }
}

const list = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`

function find(tag: string): Facts {
  const found = facts().find((each) => each.tag === tag)
  if (!found) throw new Error(`<${tag}> does not exist. Update the list in scripts/docs/manifest.ts.`)
  return found
}

export const templates: readonly Template[] = [
  { file: 'twig/routeslip.html.twig', text: twig },
  { file: 'jinja/routeslip.html.jinja', text: jinja },
  { file: 'nunjucks/routeslip.njk', text: nunjucks },
  { file: 'thymeleaf/routeslip.html', text: thymeleaf },
  { file: 'razor/RouteslipElement.cs', text: razorModel },
  { file: 'drupal/allowed-tags.txt', text: allowedTags },
  ...tags.flatMap((tag) => [
    { file: `blade/routeslip/${tag}.blade.php`, text: () => blade(find(tag)) },
    { file: `jsp/${tag}.tag`, text: () => jsp(find(tag)) },
    { file: `razor/_${tag}.cshtml`, text: () => razor(find(tag)) },
  ]),
]

/** The tags with their attributes, as text formats of Drupal list them. */
function allowedTags(): string {
  return facts()
    .map(({ tag, names }) => `<${tag} ${names.join(' ')}>\n`)
    .join('')
}

function twig(): string {
  return `{#
  ${note} ${usage}

  {% import 'routeslip.html.twig' as routeslip %}
  {{ routeslip.wf_history({ 'form-id': 6025, 'package-id': 42 }, 'Ask the office what has happened.') }}
#}
{% macro attributes(values, names, flags) -%}
  {%- for name in names -%}
    {%- set value = values[name] ?? null -%}
    {%- if name in flags -%}
      {%- if value %} {{ name }}{% endif -%}
    {%- elseif value is not null and value is not same as(false) and value is not same as('') %} {{ name }}="{{ value|e('html') }}"
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}
${facts()
  .map(
    ({ tag, macro, names, flags }) => `
{% macro ${macro}(values = {}, content = '') -%}
  <${tag}{{ _self.attributes(values, ${list(names)}, ${list(flags)}) }}>{{ content }}</${tag}>
{%- endmacro %}
`,
  )
  .join('')}`
}

function jinja(): string {
  return `{#
  ${note} ${usage}

  {% from 'routeslip.html.jinja' import wf_history %}
  {{ wf_history({'form-id': 6025, 'package-id': 42}, 'Ask the office what has happened.') }}
  {% call wf_history({'package-id': 42}) %}<a href="/travel/42">See what has happened</a>{% endcall %}
#}
{% macro attributes(values, names, flags) -%}
  {%- for name in names -%}
    {%- set value = values[name] -%}
    {%- if name in flags -%}
      {%- if value %} {{ name }}{% endif -%}
    {%- elif value is defined and value is not none and value is not sameas false and value != '' %} {{ name }}="{{ value|e }}"
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}
${macros('caller() if caller else content|e')}`
}

function nunjucks(): string {
  return `{#
  ${note} ${usage}

  {% from 'routeslip.njk' import wf_history %}
  {{ wf_history({'form-id': 6025, 'package-id': 42}, 'Ask the office what has happened.') }}
  {% call wf_history({'package-id': 42}) %}<a href="/travel/42">See what has happened</a>{% endcall %}
#}
{% macro attributes(values, names, flags) -%}
  {%- for name in names -%}
    {%- set value = values[name] -%}
    {%- if name in flags -%}
      {%- if value %} {{ name }}{% endif -%}
    {%- elif value is defined and value !== null and value !== false and value !== '' %} {{ name }}="{{ value | escape }}"
    {%- endif -%}
  {%- endfor -%}
{%- endmacro %}
${macros('caller() if caller else content | escape')}`
}

/** The macros of Jinja and Nunjucks. */
function macros(content: string): string {
  return facts()
    .map(
      ({ tag, macro, names, flags }) => `
{% macro ${macro}(values={}, content='') -%}
  <${tag}{{ attributes(values, ${list(names)}, ${list(flags)}) }}>{{ ${content} }}</${tag}>
{%- endmacro %}
`,
    )
    .join('')
}

function blade({ tag, names }: Facts): string {
  return `{{-- ${note} ${usage}
<x-routeslip.${tag} :package-id="$id">Content until the script has loaded</x-routeslip.${tag}> --}}
<${tag} {{ $attributes->only(${list(names)}) }}>{{ $slot }}</${tag}>
`
}

function thymeleaf(): string {
  const attribute = (name: string, flags: readonly string[]) =>
    flags.includes(name) ? `${name}=(\${values['${name}']} ? '${name}')` : `${name}=\${values['${name}']}`
  return `<!doctype html>
<!--/* ${note} ${usage}
  <th:block th:replace="~{routeslip :: wf-history(\${ {'package-id': 42} }, ~{::content})}">
    <p th:fragment="content">Ask the office what has happened.</p>
  </th:block>
*/-->
<html lang="en" xmlns:th="http://www.thymeleaf.org">
  <head>
    <title>Routeslip</title>
  </head>
  <body>
${facts()
  .map(
    ({ tag, names, flags }) => `    <${tag}
      th:fragment="${tag} (values, content)"
      th:attr="${names.map((name) => attribute(name, flags)).join(',')}"
      ><th:block th:replace="\${content}"></th:block
    ></${tag}>
`,
  )
  .join('')}  </body>
</html>
`
}

function jsp({ tag, names, flags }: Facts): string {
  return `<%-- ${note} ${usage}
<%@ taglib prefix="routeslip" tagdir="/WEB-INF/tags/routeslip" %>
<routeslip:${tag} package-id="42">Content until the script has loaded</routeslip:${tag}> --%>
<%@ tag pageEncoding="UTF-8" body-content="scriptless" dynamic-attributes="values" trimDirectiveWhitespaces="true" %>
<%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
<${tag}${names
    .map((name) =>
      flags.includes(name)
        ? `<c:if test="\${values['${name}'] eq true or values['${name}'] eq 'true'}"> ${name}</c:if>`
        : `<c:if test="\${not empty values['${name}'] and values['${name}'].toString() ne 'false'}"> ${name}="<c:out value="\${values['${name}']}"/>"</c:if>`,
    )
    .join('')}><jsp:doBody/></${tag}>
`
}

function razor({ tag, names, flags }: Facts): string {
  const values = names.map((name) =>
    flags.includes(name) ? `${name}="@Model.Flag("${name}")"` : `${name}="@Model.Value("${name}")"`,
  )
  return `@* ${note} ${usage}
   <partial name="_${tag}" model="@(new RouteslipElement { ["package-id"] = 42 })" /> *@
@model Routeslip.RouteslipElement
<${tag} ${values.join(' ')}>@Model.Content</${tag}>
`
}

function razorModel(): string {
  return `// ${note}
#nullable enable
using System.Collections.Generic;

namespace Routeslip;

/// <summary>Values of the attributes of an element, by name. Razor escapes them, and leaves out those that are null.</summary>
public sealed class RouteslipElement : Dictionary<string, object?>
{
    /// <summary>Content that is shown until the script has loaded. A string is text; an HtmlString is markup.</summary>
    public object? Content { get; init; }

    /// <summary>Returns the value of an attribute, or null if it is absent or empty.</summary>
    public string? Value(string name) =>
        TryGetValue(name, out var value) && value?.ToString() is { Length: > 0 } text ? text : null;

    /// <summary>Returns whether a boolean attribute is present. Razor leaves out an attribute whose value is false.</summary>
    public bool Flag(string name) => TryGetValue(name, out var value) && value is true or "true";
}
`
}
