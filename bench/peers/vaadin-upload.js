import '@vaadin/upload'
