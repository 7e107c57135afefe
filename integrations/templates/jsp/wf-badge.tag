<%-- Written by scripts/docs/write.ts. Values are escaped. Attributes that the element does not have are left out.
<%@ taglib prefix="routeslip" tagdir="/WEB-INF/tags/routeslip" %>
<routeslip:wf-badge package-id="42">Content until the script has loaded</routeslip:wf-badge> --%>
<%@ tag pageEncoding="UTF-8" body-content="scriptless" dynamic-attributes="values" trimDirectiveWhitespaces="true" %>
<%@ taglib prefix="c" uri="http://java.sun.com/jsp/jstl/core" %>
<wf-badge<c:if test="${not empty values['id']}"> id="<c:out value="${values['id']}"/>"</c:if><c:if test="${not empty values['class']}"> class="<c:out value="${values['class']}"/>"</c:if><c:if test="${not empty values['slot']}"> slot="<c:out value="${values['slot']}"/>"</c:if><c:if test="${not empty values['endpoint']}"> endpoint="<c:out value="${values['endpoint']}"/>"</c:if><c:if test="${not empty values['form-id']}"> form-id="<c:out value="${values['form-id']}"/>"</c:if><c:if test="${not empty values['package-id']}"> package-id="<c:out value="${values['package-id']}"/>"</c:if>><jsp:doBody/></wf-badge>
