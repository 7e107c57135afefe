import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.jasper.servlet.JasperInitializer;

/** Serves the JSP pages of a folder on a free port of this machine with Tomcat, and prints the port. */
class JspServer {
    public static void main(String[] args) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(args[1]);
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context pages = tomcat.addWebapp("", new File(args[0]).getAbsolutePath());
        pages.addServletContainerInitializer(new JasperInitializer(), null);
        tomcat.start();
        System.out.println("Port " + tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }
}
