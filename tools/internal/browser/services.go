package browser

import (
	"net/url"
	"slices"
)

// services lists hosts of the browser makers. Browsers ask these hosts for updates, warnings about bad
// pages, experiments and preloading hints. No page uses the answers of these hosts, and the makers
// would learn that this browser runs. Settings of the browser turn off most of these connections, and
// the relay refuses the others.
var services = []string{
	"update.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com", "dl.google.com", "tools.google.com",
	"clients2.google.com", "clients4.google.com", "clientservices.googleapis.com", "android.clients.google.com", "mtalk.google.com",
	"optimizationguide-pa.googleapis.com", "content-autofill.googleapis.com", "chromewebstore.googleapis.com",
	"safebrowsing.googleapis.com", "sb-ssl.google.com", "passwordsleakcheck-pa.googleapis.com",
	"config.edge.skype.com", "edge.microsoft.com", "msedge.api.cdp.microsoft.com",
	"firefox.settings.services.mozilla.com", "content-signature-2.cdn.mozilla.net", "aus5.mozilla.org",
	"detectportal.firefox.com", "incoming.telemetry.mozilla.org", "push.services.mozilla.com", "location.services.mozilla.com",
}

// refused returns the services that are blocked while a page is loaded. These are all known
// services except the page's own host.
func refused(address string) []string {
	asked, err := url.Parse(address)
	if err != nil {
		return services
	}
	return slices.DeleteFunc(slices.Clone(services), func(host string) bool { return host == asked.Hostname() })
}
