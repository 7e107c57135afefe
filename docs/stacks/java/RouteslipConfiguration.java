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

  /** Leave it out where the web server itself leads /api/wf/ to the proxy. */
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
        // Whoever is not signed in gets the proxy's 401, and not a page to sign in on: the elements say it then.
        .authorizeHttpRequests(
            requests -> requests.requestMatchers(api, signedIn).permitAll().anyRequest().authenticated())
        // The proxy keeps other sites out by itself: it wants a header that they cannot send, for reads too.
        .csrf(csrf -> csrf.ignoringRequestMatchers(api))
        // Your own sign-in, whose user names are university ids.
        .oauth2Login(Customizer.withDefaults())
        .build();
  }
}
