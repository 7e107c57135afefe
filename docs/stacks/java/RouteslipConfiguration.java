package edu.example.travel;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.util.matcher.RequestMatcher;

/** For Spring Boot 3 or later with Spring Security. */
@Configuration
public class RouteslipConfiguration {

  /** Remove this bean if the web server forwards /api/wf/ to the proxy. */
  @Bean
  ServletRegistrationBean<RouteslipServlet> routeslip(
      @Value("${routeslip.proxy}") String proxy, @Value("${routeslip.front-secret}") String secret) {
    return new ServletRegistrationBean<>(new RouteslipServlet(proxy, secret), "/api/wf/*");
  }

  @Bean
  SecurityFilterChain security(HttpSecurity http) throws Exception {
    RequestMatcher api = request -> request.getRequestURI().startsWith("/api/wf/");
    RequestMatcher signedIn = request -> request.getRequestURI().equals("/signed-in");
    return http
        // Without sign-in, the proxy's 401 must reach the elements, not a redirect to a sign-in page.
        .authorizeHttpRequests(
            requests -> requests.requestMatchers(api, signedIn).permitAll().anyRequest().authenticated())
        // The proxy blocks other sites: it requires a header that they cannot send, for reads too.
        .csrf(csrf -> csrf.ignoringRequestMatchers(api))
        // Your own sign-in. Its user names are university IDs.
        .oauth2Login(Customizer.withDefaults())
        .build();
  }
}
