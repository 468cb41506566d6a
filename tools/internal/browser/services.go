package browser

import (
	"net/url"
	"slices"
)

// services contains hosts from which browsers request updates, warnings about bad pages,
// experiments and preloading hints. No page needs these requests, and they tell the browser's maker
// that the browser is running. Browser settings turn off most of the requests, and the relay
// refuses the rest.
var services = []string{
	"update.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com", "dl.google.com", "tools.google.com",
	"clients2.google.com", "clients4.google.com", "clientservices.googleapis.com", "android.clients.google.com", "mtalk.google.com",
	"optimizationguide-pa.googleapis.com", "content-autofill.googleapis.com", "chromewebstore.googleapis.com",
	"safebrowsing.googleapis.com", "sb-ssl.google.com", "passwordsleakcheck-pa.googleapis.com",
	"config.edge.skype.com", "edge.microsoft.com", "msedge.api.cdp.microsoft.com",
	"firefox.settings.services.mozilla.com", "content-signature-2.cdn.mozilla.net", "aus5.mozilla.org",
	"detectportal.firefox.com", "incoming.telemetry.mozilla.org", "push.services.mozilla.com", "location.services.mozilla.com",
}

// refused returns the hosts in [services], except the host of the requested page.
func refused(address string) []string {
	asked, err := url.Parse(address)
	if err != nil {
		return services
	}
	return slices.DeleteFunc(slices.Clone(services), func(host string) bool { return host == asked.Hostname() })
}
