// Shows the description of the API. The page says where it is, because scripts are never inline.
"use strict";

const place = document.getElementById("api-docs");

window.SwaggerUIBundle({
  url: place.dataset.description,
  domNode: place,
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  validatorUrl: null,
});
