package permit

import (
	"cmp"
	"strings"
)

// AllowsPlace reports whether a rule lets a tool send data to a host. A port that is not the
// scheme's default must be part of host. If scheme is empty, host can be another kind of receiver,
// such as a topic. Addresses are matched part by part: "https://*.example.com/*" does not match
// "https://evil.example/?x=.example.com/". A rule that names an argument must name the tool's main
// argument.
func (r *Rules) AllowsPlace(call Call, host, scheme, rest string) bool {
	for _, rule := range r.allows() {
		if !rule.about(call.Tool) {
			continue
		}
		name, pattern := rule.argument(call)
		if rule.Pattern == "" || (name == "" || name == call.Main) && (Rule{Pattern: pattern}).names(host, scheme, rest) {
			return true
		}
	}
	return false
}

// AllowsSending reports whether a rule lets a command send data to a host. The rule's pattern must
// be empty, or an address pattern that matches the destination. The default scheme is ssh.
func (r *Rules) AllowsSending(tool, host, scheme, rest string) bool {
	for _, rule := range r.allows() {
		named := strings.Contains(rule.Pattern, "://") && rule.names(host, cmp.Or(scheme, "ssh"), rest)
		if rule.about(tool) && (rule.Pattern == "" || named) {
			return true
		}
	}
	return false
}

func (r Rule) names(host, scheme, rest string) bool {
	pattern := r.Pattern
	if wanted, after, found := strings.Cut(pattern, "://"); found {
		if !glob(strings.ToLower(wanted), scheme) {
			return false
		}
		pattern = after
	}
	wantedHost, wantedRest, path := strings.Cut(pattern, "/")
	if bare, star := strings.CutSuffix(wantedHost, "*"); star && bare != "" && !strings.HasSuffix(bare, ".") {
		wantedHost, path = bare, false // example.com* must not match example.com.evil.example
	}
	if !glob(strings.ToLower(strings.TrimSuffix(wantedHost, ".")), strings.ToLower(host)) {
		return false
	}
	if rest == "" || rest[0] != '/' {
		rest = "/" + rest
	}
	return !path || glob("/"+wantedRest, rest)
}

// AllowsWriting reports whether a rule allows the tool to write a protected file. The rule's
// pattern must match the file, and must contain the protected name (ignoring case).
func (r *Rules) AllowsWriting(tool, protected string, matches func(pattern string) bool) bool {
	for _, rule := range r.allows() {
		pattern := rule.Pattern
		if _, value, named := rule.CutName(); named {
			pattern = value
		}
		if rule.Tool == tool && strings.Contains(strings.ToLower(pattern), strings.ToLower(protected)) && matches(pattern) {
			return true
		}
	}
	return false
}
