import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * Receives the callbacks that the proxy forwards to ROUTESLIP_FORWARD_URL. Turn off CSRF checks and sign-in for this path: the
 * signature replaces both.
 */
@RestController
public class RouteslipCallbacks {
    @Value("${routeslip.forward-secret}")
    private String secrets;

    @PostMapping("/callbacks")
    public ResponseEntity<Void> receive(
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") long timestamp,
            @RequestHeader("webhook-signature") String signatures,
            @RequestBody byte[] body)
            throws GeneralSecurityException {
        if (Math.abs(Instant.now().getEpochSecond() - timestamp) > 300 || !isSigned(id, timestamp, signatures, body)) {
            return ResponseEntity.status(HttpStatus.UNAUTHORIZED).build();
        }
        // A callback may come twice, always with the same id. In one transaction: insert the id into a table with a unique
        // key, and make the change. If the insert finds the id, change nothing.
        return ResponseEntity.noContent().build();
    }

    /** Whether one of the secrets made one of the signatures. */
    private boolean isSigned(String id, long timestamp, String signatures, byte[] body) throws GeneralSecurityException {
        for (String secret : secrets.split(",")) {
            byte[] key = keyOf(secret.trim());
            // Anyone can sign with an empty key.
            if (key.length < 24) continue;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes());
            byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes();
            for (String signature : signatures.split(" ")) {
                if (MessageDigest.isEqual(expected, signature.getBytes())) return true;
            }
        }
        return false;
    }

    /** Returns the key in a secret; an empty one if the secret is not valid. */
    private static byte[] keyOf(String secret) {
        try {
            return secret.startsWith("whsec_") ? Base64.getDecoder().decode(secret.substring("whsec_".length())) : new byte[0];
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }
}
