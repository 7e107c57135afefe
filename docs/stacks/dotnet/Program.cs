using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Authentication.Cookies;
using Yarp.ReverseProxy.Transforms;

// .NET 8 or later, with the package Yarp.ReverseProxy (2.1 or later).
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRazorPages();

// Your own sign-in. It puts the university ID into a claim.
builder.Services.AddAuthentication(CookieAuthenticationDefaults.AuthenticationScheme).AddCookie();
builder.Services.AddAuthorization();

// Remove the reverse proxy if the web server forwards /api/wf/ to the proxy. appsettings.json lists the headers that are
// forwarded. All other headers are dropped, including identity headers from the browser.
var secret = builder.Configuration["Routeslip:FrontSecret"]
    ?? throw new InvalidOperationException("Routeslip:FrontSecret is missing: the proxy's ROUTESLIP_IDENTITY_SECRET");
builder.Services
    .AddReverseProxy()
    .LoadFromConfig(builder.Configuration.GetSection("ReverseProxy"))
    .AddTransforms(context =>
    {
        context.AddRequestTransform(transform =>
        {
            // Without sign-in, the proxy's 401 must reach the elements, not a redirect to a sign-in page.
            if (Univid(transform.HttpContext) is { } univid)
            {
                transform.ProxyRequest.Headers.TryAddWithoutValidation("x-remote-user", univid);
                transform.ProxyRequest.Headers.TryAddWithoutValidation("x-routeslip-front", secret);
            }
            return ValueTask.CompletedTask;
        });
        context.AddResponseHeaderRemove("Set-Cookie", ResponseCondition.Always);
    });

var app = builder.Build();
app.UseStaticFiles();
app.UseAuthentication();
app.UseAuthorization();
app.MapRazorPages();

// For a web server that forwards to the proxy itself: it requests the signed-in user here, with the browser's cookies.
app.MapGet("/signed-in", (HttpContext context) =>
{
    context.Response.Headers.CacheControl = "no-store";
    if (Univid(context) is not { } univid) return Results.StatusCode(StatusCodes.Status401Unauthorized);
    context.Response.Headers["x-univid"] = univid;
    return Results.NoContent();
});

// Metrics and health are only for the operator.
app.MapMethods("/api/wf/{kind:regex(^(metrics|healthz|readyz)$)}", ["GET", "HEAD"], () => Results.NotFound());
app.MapReverseProxy();
app.Run();

static string? Univid(HttpContext context)
{
    var univid = context.User.FindFirst("univid")?.Value;
    return univid is not null && Regex.IsMatch(univid, @"\A[0-9]{1,12}\z") ? univid : null;
}
