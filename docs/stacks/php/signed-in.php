<?php

declare(strict_types=1);

// Who is signed in here, as `univid` in the session, where your sign-in has put it.

function univid(): ?string
{
    session_start(['read_and_close' => true]);
    $univid = $_SESSION['univid'] ?? null;
    return is_string($univid) ? $univid : null;
}
