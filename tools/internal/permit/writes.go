package permit

import "strings"

// AllowsWriting says whether a rule lets a tool write a protected file: one whose pattern
// names the file and has the protected name in it. A rule about the tool alone, or one that
// is all stars, says nothing about such files.
func (r *Rules) AllowsWriting(tool, protected string, names func(pattern string) bool) bool {
	for _, rule := range r.allows() {
		pattern := rule.Pattern
		if _, value, named := rule.Named(); named {
			pattern = value
		}
		if rule.Tool == tool && strings.Contains(strings.ToLower(pattern), strings.ToLower(protected)) && names(pattern) {
			return true
		}
	}
	return false
}
