using System.Security.Cryptography;
using System.Text;

/// <summary>
/// Receives the callbacks that the proxy forwards to ROUTESLIP_FORWARD_URL. In Program.cs:
/// <c>app.MapPost("/callbacks", Callbacks.Receive).AllowAnonymous().DisableAntiforgery();</c>
/// </summary>
public static class Callbacks
{
    public static async Task<IResult> Receive(HttpRequest request, IConfiguration configuration)
    {
        using var buffer = new MemoryStream();
        await request.Body.CopyToAsync(buffer);
        var id = request.Headers["webhook-id"].ToString();
        var secrets = configuration["Routeslip:ForwardSecret"] ?? throw new InvalidOperationException("No secret");
        var isRecent = long.TryParse(request.Headers["webhook-timestamp"], out var timestamp)
            && Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - timestamp) <= 300;
        if (!isRecent || !IsSigned(id, timestamp, request.Headers["webhook-signature"].ToString(), buffer.ToArray(), secrets))
        {
            return Results.Unauthorized();
        }
        // A callback may come twice, always with the same id. In one transaction: insert the id into a table with a unique
        // key, and make the change. If the insert finds the id, change nothing.
        return Results.NoContent();
    }

    /// <summary>Whether one of the secrets made one of the signatures.</summary>
    private static bool IsSigned(string id, long timestamp, string signatures, byte[] body, string secrets)
    {
        byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
        // Anyone can sign with an empty key.
        return secrets.Split(',').Select(secret => KeyOf(secret.Trim())).Where(key => key.Length >= 24).Any(key =>
        {
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
            return signatures.Split(' ').Any(signature =>
                CryptographicOperations.FixedTimeEquals(expected, Encoding.UTF8.GetBytes(signature)));
        });
    }

    /// <summary>Returns the key in a secret; an empty one if the secret is not valid.</summary>
    private static byte[] KeyOf(string secret)
    {
        var key = new byte[secret.Length];
        return secret.StartsWith("whsec_", StringComparison.Ordinal)
            && Convert.TryFromBase64String(secret["whsec_".Length..], key, out var length)
                ? key[..length]
                : Array.Empty<byte>();
    }
}
