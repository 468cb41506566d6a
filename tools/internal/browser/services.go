package browser

import (
	"net/url"
	"slices"
)

// services are hosts that browsers ask on behalf of their makers: updates of themselves
// and of their parts, lists of bad pages, experiments, hints for loading. No page is made
// of what they answer, and being asked they learn that this browser runs. Switches turn
// most of this off; what a new version asks all the same is refused by the relay.
var services = []string{
	"update.googleapis.com", "redirector.gvt1.com", "edgedl.me.gvt1.com", "dl.google.com", "tools.google.com",
	"clients2.google.com", "clients4.google.com", "clientservices.googleapis.com", "android.clients.google.com", "mtalk.google.com",
	"optimizationguide-pa.googleapis.com", "content-autofill.googleapis.com", "chromewebstore.googleapis.com",
	"safebrowsing.googleapis.com", "sb-ssl.google.com", "passwordsleakcheck-pa.googleapis.com",
	"config.edge.skype.com", "edge.microsoft.com", "msedge.api.cdp.microsoft.com",
	"firefox.settings.services.mozilla.com", "content-signature-2.cdn.mozilla.net", "aus5.mozilla.org",
	"detectportal.firefox.com", "incoming.telemetry.mozilla.org", "push.services.mozilla.com", "location.services.mozilla.com",
}

// refused are the services that a page of address is loaded without: all of them, but
// for the host that is asked for.
func refused(address string) []string {
	asked, err := url.Parse(address)
	if err != nil {
		return services
	}
	return slices.DeleteFunc(slices.Clone(services), func(host string) bool { return host == asked.Hostname() })
}
