package edu.example.travel;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Forwards calls of a page to the Routeslip proxy as the signed-in user, and streams in both directions. Needs only the
 * Servlet API (5 or later, Java 17 or later), so it runs with and without Spring.
 */
public class RouteslipServlet extends HttpServlet {

  /** Headers from the browser that the proxy needs. No cookies and no identity headers. */
  private static final List<String> REQUEST_HEADERS =
      List.of(
          "accept",
          "content-type",
          "idempotency-key",
          "last-event-id",
          "origin",
          "referer",
          "sec-fetch-site",
          "x-routeslip",
          "x-workflow-verification");

  /** Hop-by-hop headers (RFC 9110, 7.6.1), and cookies, which the proxy never sets. */
  private static final Set<String> CONNECTION_HEADERS =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-authenticate",
          "proxy-connection",
          "set-cookie",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  /**
   * The raw path. Every path of the API uses only these characters, so nothing in it can have a second meaning. Metrics
   * and health are only for the operator.
   */
  private static final Pattern PATH = Pattern.compile("/api/wf(?:/(?!(?:metrics|healthz|readyz)$)[A-Za-z0-9_-]+)+(?:\\.json)?");

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "DELETE");

  private static final Pattern UNIVID = Pattern.compile("[0-9]{1,12}");

  private final String proxy;
  private final String secret;

  private final transient HttpClient client =
      HttpClient.newBuilder()
          // Otherwise the client asks for an upgrade to HTTP/2, which the proxy does not support.
          .version(HttpClient.Version.HTTP_1_1)
          // A redirect leads the browser to a file.
          .followRedirects(HttpClient.Redirect.NEVER)
          // Never use an HTTP proxy from the environment: the request contains the secret.
          .proxy(HttpClient.Builder.NO_PROXY)
          .connectTimeout(Duration.ofSeconds(3))
          .build();

  /**
   * @param proxy URL of the proxy, such as http://127.0.0.1:8090
   * @param secret its ROUTESLIP_IDENTITY_SECRET
   */
  public RouteslipServlet(String proxy, String secret) {
    this.proxy = proxy;
    this.secret = secret;
  }

  /**
   * University ID of the signed-in user, or null if nobody is signed in; the proxy then responds with 401. Default: the
   * user name in the container or in Spring Security.
   */
  protected String univid(HttpServletRequest request) {
    return request.getRemoteUser();
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String path = request.getRequestURI();
    if (!PATH.matcher(path).matches()) {
      refuse(response, 404, "There is no such address.");
      return;
    }
    if (!METHODS.contains(request.getMethod())) {
      refuse(response, 405, "There is no such method.");
      return;
    }

    HttpResponse<InputStream> proxied;
    try {
      proxied = client.send(translate(request, path), BodyHandlers.ofInputStream());
    } catch (IOException | IllegalArgumentException unreachable) {
      log("The Routeslip proxy did not respond", unreachable);
      refuse(response, 502, "The service cannot be reached. Try again in a moment.");
      return;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      refuse(response, 503, "The service is being stopped.");
      return;
    }

    response.setStatus(proxied.statusCode());
    proxied
        .headers()
        .map()
        .forEach(
            (name, values) -> {
              if (!CONNECTION_HEADERS.contains(name.toLowerCase(Locale.ROOT)))
                values.forEach(value -> response.addHeader(name, value));
            });
    // If the proxy interrupts a response, interrupt this one too, so that nobody mistakes half a file for a whole one.
    try (InputStream body = proxied.body()) {
      response.flushBuffer();
      OutputStream out = response.getOutputStream();
      byte[] buffer = new byte[16 * 1024];
      for (int count; (count = body.read(buffer)) != -1; ) {
        out.write(buffer, 0, count);
        // Live events are flushed immediately.
        out.flush();
      }
    }
  }

  private HttpRequest translate(HttpServletRequest request, String path) throws IOException {
    String query = request.getQueryString();
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(proxy + path + (query == null ? "" : "?" + query)))
            .method(request.getMethod(), bodyOf(request));
    for (String name : REQUEST_HEADERS) {
      String value = request.getHeader(name);
      if (value != null) builder.setHeader(name, value);
    }
    String univid = univid(request);
    if (univid != null && UNIVID.matcher(univid).matches()) {
      builder.setHeader("x-remote-user", univid);
      builder.setHeader("x-routeslip-front", secret);
    }
    return builder.build();
  }

  /** The body as a stream, with the declared length. */
  private static BodyPublisher bodyOf(HttpServletRequest request) throws IOException {
    long length = request.getContentLengthLong();
    if (length == 0 || (length < 0 && request.getHeader("transfer-encoding") == null)) return BodyPublishers.noBody();
    InputStream in = request.getInputStream();
    BodyPublisher body = BodyPublishers.ofInputStream(() -> in);
    return length < 0 ? body : BodyPublishers.fromPublisher(body, length);
  }

  private static void refuse(HttpServletResponse response, int status, String detail) throws IOException {
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("x-routeslip", "1");
    response
        .getWriter()
        .print("{\"type\":\"about:blank\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}");
  }
}
