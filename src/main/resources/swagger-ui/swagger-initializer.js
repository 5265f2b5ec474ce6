// Replaces the script of this name in Swagger UI's distribution, which shows an example.
window.onload = function () {
  window.ui = SwaggerUIBundle({
    url: "../v3/api-docs",
    dom_id: "#swagger-ui",
    deepLinking: true,
    validatorUrl: null,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
    layout: "StandaloneLayout",
  });
};
