package providers

import "net/url"

// Server is a provider at an address.
type Server struct {
	Provider
	URL string
	Key Secret // "" if the server needs no key
}

// OnThisMachine reports whether this machine runs the server.
func (s Server) OnThisMachine() bool { return loopback(s.URL) }

// Servers returns all providers with [Provider.Local] set, and their addresses. It does not contact
// the servers.
func (w Wishes) Servers() ([]Server, error) {
	var list []Server
	for _, provider := range w.Pool.All() {
		if !provider.Local {
			continue
		}
		base, err := w.baseURL(provider)
		if err != nil {
			return nil, err
		}
		list = append(list, Server{Provider: provider, URL: base})
	}
	return list, nil
}

// LocalProviders returns the names of the providers whose address is on this machine.
func (w Wishes) LocalProviders() (names []string) {
	for _, provider := range w.Pool.All() {
		if base, err := w.baseURL(provider); err == nil && base != "" && loopback(base) {
			names = append(names, provider.Name)
		}
	}
	return names
}

// Host returns the host in a provider's address, or the provider's name if the address is invalid
// or has no host.
func (w Wishes) Host(provider Provider) string {
	base, err := w.baseURL(provider)
	if address, problem := url.Parse(base); err == nil && problem == nil && address.Host != "" {
		return address.Host
	}
	return provider.Name
}

// pick chooses a model on the server if the user named none.
func (w Wishes) pick(server Server, selection *Selection) {
	if w.Pick == nil {
		return
	}
	model, why := w.Pick(server)
	if model == "" && (server.Local || selection.Model == "") {
		return
	}
	if model == "" { // the provider's default model, which this server might not have
		model, why = selection.Model, "no model was named, and the server lists none; name one with "+modelSettings(server.Provider)
	}
	selection.Model = model
	if why != "" && selection.Why != "" {
		why = "; " + why
	}
	selection.Why += why
}
