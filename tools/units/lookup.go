package units

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"marvin/messages/lists"
)

// unitMatch is a matching unit and its kind.
type unitMatch struct {
	kind *kind
	unit *unit
}

// spelling unifies variants of a unit symbol, such as "m²" and "m^2". It does not change the letter
// case.
var spelling = strings.NewReplacer("²", "2", "³", "3", "^", "", "°", "", "º", "", "µ", "u", "μ", "u", "⋅", "", "·", "", "*", "", " ", "", "_", "", "-", "", ".", "", "(", "", ")", "")

func plain(text string) string {
	if text == "°" {
		return text
	}
	return spelling.Replace(text)
}

// foldText prepares text for comparison. It unifies the spellings of symbols, converts the text to
// lower case, and uses the American spelling of meter and liter.
func foldText(text string) string {
	text = strings.ToLower(plain(text))
	text = strings.ReplaceAll(text, "metre", "meter")
	return strings.ReplaceAll(text, "litre", "liter")
}

// find returns the units with the given symbol or name. If there is no such unit, find returns the
// units that have this symbol in a different case.
func find(text string) []unitMatch {
	exact := matching(func(u *unit) bool {
		return plain(u.symbol) == plain(text) || slices.ContainsFunc(list(u.also), func(also string) bool { return plain(also) == plain(text) })
	})
	byName := matching(func(u *unit) bool { return hasName(u, text) })
	if len(exact) > 0 {
		return append(exact, slices.DeleteFunc(byName, func(f unitMatch) bool { // "Mbit" is a symbol for megabit and a name for megabit per second
			return slices.ContainsFunc(exact, func(e unitMatch) bool { return e.kind == f.kind })
		})...)
	}
	if len(byName) > 0 {
		return byName
	}
	return matching(func(u *unit) bool {
		return slices.ContainsFunc(append(list(u.also), u.symbol), func(symbol string) bool { return sameButForCase(text, symbol) })
	})
}

func matching(fits func(*unit) bool) []unitMatch {
	var all []unitMatch
	for i := range kinds {
		for j := range kinds[i].units {
			if fits(&kinds[i].units[j]) {
				all = append(all, unitMatch{&kinds[i], &kinds[i].units[j]})
			}
		}
	}
	return all
}

func list(names string) []string {
	if names == "" {
		return nil
	}
	return strings.Split(names, ",")
}

// hasName reports whether text is a name of the unit, in the singular or plural.
func hasName(u *unit, text string) bool {
	text = foldText(text)
	// "kgs" is a plural, but "ms" means milliseconds
	if symbol := foldText(u.symbol); len(symbol) > 1 && text == symbol+"s" {
		return true
	}
	for _, name := range list(u.names) {
		name = foldText(name)
		if text == name || text == name+"s" || text == name+"es" {
			return true
		}
	}
	return false
}

// sameButForCase reports whether the text equals the symbol if case is ignored. It returns false
// for one-letter symbols. In mixed-case text, an initial m, M, p or P must match exactly, because
// the case distinguishes two prefixes.
func sameButForCase(text, symbol string) bool {
	text, symbol = plain(text), plain(symbol)
	if len(symbol) < 2 || !strings.EqualFold(text, symbol) {
		return false
	}
	uniform := text == strings.ToLower(text) || text == strings.ToUpper(text)
	return uniform || text[0] == symbol[0] || !strings.ContainsAny(text[:1], "mMpP")
}

// pair determines the two units of a conversion and their common kind. It returns an error if
// either text matches several units of that kind.
func pair(from, to string) (k *kind, source, target *unit, err error) {
	sources, targets := find(from), find(to)
	for _, candidate := range sources {
		left, right := ofKind(sources, candidate.kind), ofKind(targets, candidate.kind)
		if len(right) == 0 {
			continue
		}
		if len(left) > 1 || len(right) > 1 {
			return nil, nil, nil, ambiguous(from, left, to, right)
		}
		return candidate.kind, left[0].unit, right[0].unit, nil
	}
	return nil, nil, nil, mismatch(from, sources, to, targets)
}

func ofKind(all []unitMatch, k *kind) []unitMatch {
	return slices.DeleteFunc(slices.Clone(all), func(f unitMatch) bool { return f.kind != k })
}

func ambiguous(from string, left []unitMatch, to string, right []unitMatch) error {
	text, candidates := from, left
	if len(left) < 2 {
		text, candidates = to, right
	}
	var choices []string
	for _, f := range candidates {
		name, _, _ := strings.Cut(f.unit.names, ",")
		choices = append(choices, fmt.Sprintf("%s (%s)", f.unit.symbol, name))
	}
	return fmt.Errorf("%q could be %s; write the unit exactly", text, strings.Join(choices, " or "))
}

// mismatch returns the error for an unknown unit or for two units of different kinds. The error
// suggests units.
func mismatch(from string, sources []unitMatch, to string, targets []unitMatch) error {
	switch {
	case len(sources) == 0 && len(targets) == 0:
		return fmt.Errorf("neither %q nor %q is a known unit%s.\nKinds of units: %s; currencies are three-letter codes such as EUR", from, to, similarUnits(from, nil), kindNames())
	case len(sources) == 0:
		return fmt.Errorf("there is no unit %q%s.\n%s", from, similarUnits(from, targets[0].kind), targets[0].kind.overview())
	case len(targets) == 0:
		return fmt.Errorf("there is no unit %q%s.\n%s", to, similarUnits(to, sources[0].kind), sources[0].kind.overview())
	}
	return fmt.Errorf("%s is a unit of %s, but %s is a unit of %s, so one cannot be converted to the other.\n%s",
		from, sources[0].kind.name, to, targets[0].kind.name, sources[0].kind.overview())
}

// similarUnits names up to three units that are spelled like the text. It favors units of the
// preferred kind.
func similarUnits(text string, preferred *kind) string {
	type scored struct {
		name     string
		distance int
	}
	var close []scored
	wanted := foldText(text)
	for i := range kinds {
		for _, u := range kinds[i].units {
			for _, name := range append(list(u.names), u.symbol) {
				distance := levenshtein.ComputeDistance(wanted, foldText(name))
				if distance > 2 || 2*distance > len(wanted) {
					continue
				}
				if preferred != nil && preferred != &kinds[i] {
					distance += 2
				}
				close = append(close, scored{name, distance})
			}
		}
	}
	slices.SortStableFunc(close, func(a, b scored) int { return a.distance - b.distance })
	names := lists.Map(close[:min(3, len(close))], func(entry scored) string { return entry.name })
	if len(names) == 0 {
		return ""
	}
	return "; close names: " + strings.Join(names, ", ")
}

func (k *kind) overview() string {
	symbols := lists.Map(k.units, func(u unit) string { return u.symbol })
	return fmt.Sprintf("Units of %s: %s", k.name, strings.Join(symbols, ", "))
}

func kindNames() string {
	return strings.Join(lists.Map(kinds, func(k kind) string { return k.name }), ", ")
}
