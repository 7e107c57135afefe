<?php

declare(strict_types=1);

namespace Drupal\routeslip\Controller;

use Drupal\Core\Controller\ControllerBase;
use Drupal\Core\Site\Settings;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** Returns the signed-in user and forwards calls to the proxy. */
final class RouteslipController extends ControllerBase
{
    public function signedIn(): Response
    {
        $univid = $this->univid();
        $headers = ['Cache-Control' => 'no-store, private'];
        return new Response('', $univid === null ? 401 : 204, $univid === null ? $headers : $headers + ['x-univid' => $univid]);
    }

    /**
     * In settings.php: $settings['routeslip_proxy'] = 'http://127.0.0.1:8090'; and $settings['routeslip_front_secret'], the
     * proxy's ROUTESLIP_IDENTITY_SECRET. Copy RouteslipForwarder.php from docs/stacks/php into the module's folder.
     */
    public function forward(Request $request): Response
    {
        require_once dirname(__DIR__, 2) . '/RouteslipForwarder.php';
        $forwarder = new \RouteslipForwarder(
            (string) Settings::get('routeslip_proxy'),
            (string) Settings::get('routeslip_front_secret'),
        );
        $univid = $this->univid();
        // Other requests of this user wait while the session is open.
        if ($request->hasSession()) {
            $request->getSession()->save();
        }
        // Drupal sanitizes its own copies of these.
        $response = $forwarder->forward($univid, $_SERVER, $_POST, $_FILES);
        return new StreamedResponse($response->print, $response->status, $response->headers);
    }

    /** University ID of the signed-in user: here the name of the account, which single sign-on sets. */
    private function univid(): ?string
    {
        $name = $this->currentUser()->isAuthenticated() ? $this->currentUser()->getAccountName() : '';
        return preg_match('/^\d{1,12}$/D', $name) ? $name : null;
    }
}
