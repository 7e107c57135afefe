{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.fs-files :package-id="$id">Content until the script has loaded</x-routeslip.fs-files> --}}
<fs-files {{ $attributes->only(['id', 'class', 'slot', 'value', 'for', 'name', 'required', 'undo-seconds', 'grantees', 'disabled', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</fs-files>
