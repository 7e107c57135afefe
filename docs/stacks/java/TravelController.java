package edu.example.travel;

import java.security.Principal;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

@Controller
public class TravelController {

  @GetMapping("/travel/{packageId}")
  String travel(@PathVariable("packageId") long packageId, Model model) {
    model.addAttribute("packageId", packageId);
    return "travel";
  }

  /** For a web server that forwards to the proxy itself: it requests the signed-in user here, with the browser's cookies. */
  @GetMapping("/signed-in")
  ResponseEntity<Void> signedIn(Principal person) {
    return person == null
        ? ResponseEntity.status(HttpStatus.UNAUTHORIZED).build()
        : ResponseEntity.noContent()
            .cacheControl(CacheControl.noStore())
            .header("x-univid", person.getName())
            .build();
  }
}
