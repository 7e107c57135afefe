{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-history :package-id="$id">Content until the script has loaded</x-routeslip.wf-history> --}}
<wf-history {{ $attributes->only(['id', 'class', 'slot', 'history', 'future', 'form-id', 'package-id', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-history>
