{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-office :package-id="$id">Content until the script has loaded</x-routeslip.wf-office> --}}
<wf-office {{ $attributes->only(['id', 'class', 'slot', 'name', 'value', 'level', 'within', 'required', 'readonly', 'disabled', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-office>
