using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Authentication.Cookies;
using Yarp.ReverseProxy.Transforms;

// .NET 8 or later, with the package Yarp.ReverseProxy (2.1 or later).
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddRazorPages();

// Your own sign-in, which puts the university id into a claim.
builder.Services.AddAuthentication(CookieAuthenticationDefaults.AuthenticationScheme).AddCookie();
builder.Services.AddAuthorization();

// Leave the reverse proxy out where the web server itself leads /api/wf/ to the proxy. appsettings.json says which headers
// of a browser pass; all others, and whatever it says about who it is, stay here.
var secret = builder.Configuration["Routeslip:FrontSecret"]
    ?? throw new InvalidOperationException("Routeslip:FrontSecret is missing: the proxy's ROUTESLIP_IDENTITY_SECRET");
builder.Services
    .AddReverseProxy()
    .LoadFromConfig(builder.Configuration.GetSection("ReverseProxy"))
    .AddTransforms(context =>
    {
        context.AddRequestTransform(transform =>
        {
            // Whoever is not signed in gets the proxy's 401, and not a page to sign in on: the elements say it then.
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

// For a web server that stands in front of the proxy itself: it asks here, with the browser's cookies, who is signed in.
app.MapGet("/signed-in", (HttpContext context) =>
{
    context.Response.Headers.CacheControl = "no-store";
    if (Univid(context) is not { } univid) return Results.StatusCode(StatusCodes.Status401Unauthorized);
    context.Response.Headers["x-univid"] = univid;
    return Results.NoContent();
});

// Figures and health are for the machine's own operator.
app.MapMethods("/api/wf/{kind:regex(^(metrics|healthz)$)}", ["GET", "HEAD"], () => Results.NotFound());
app.MapReverseProxy();
app.Run();

static string? Univid(HttpContext context)
{
    var univid = context.User.FindFirst("univid")?.Value;
    return univid is not null && Regex.IsMatch(univid, @"\A[0-9]{1,12}\z") ? univid : null;
}
