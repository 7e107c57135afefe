// Written by scripts/docs/write.ts.
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
