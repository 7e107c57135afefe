<?php

declare(strict_types=1);

// The signed-in user: your sign-in stores the university ID as `univid` in the session.

function univid(): ?string
{
    session_start(['read_and_close' => true]);
    $univid = $_SESSION['univid'] ?? null;
    return is_string($univid) ? $univid : null;
}
