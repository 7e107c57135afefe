{{-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<x-routeslip.fs-shares :package-id="$id">Content until the script has loaded</x-routeslip.fs-shares> --}}
<fs-shares {{ $attributes->only(['id', 'class', 'slot', 'file', 'files', 'grantees', 'page-size', 'endpoint', 'time-zone', 'sign-in-url']) }}>{{ $slot }}</fs-shares>
