{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.wf-form :package-id="$id">Content until the script has loaded</x-routeslip.wf-form> --}}
<wf-form {{ $attributes->only(['id', 'class', 'slot', 'form-id', 'package-id', 'sub-type', 'sub-type-name', 'summary-name', 'details-name', 'notify', 'autosave', 'review', 'success-url', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</wf-form>
