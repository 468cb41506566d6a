package personal

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Preferences returns the text of preferences.yaml. If that file is missing, it returns the text of
// prefs.yaml, which Marvin's TypeScript version wrote.
func Preferences(p store.Profile) (string, error) {
	for _, name := range []string{"preferences.yaml", "prefs.yaml"} {
		file, _, err := store.OpenRegular(os.OpenFile, p.Path(name))
		if err != nil {
			return "", fmt.Errorf("preferences: %w", err)
		}
		if file == nil {
			continue
		}
		if err := file.Close(); err != nil {
			return "", err
		}
		return store.ReadUpTo(os.OpenFile, p.Path(name), store.PromptLimit)
	}
	return "", nil
}

const firstPreferences = `# What Marvin should know about your tastes. Change it as you like: Marvin replaces
# single values and leaves everything else alone, comments included.

dietary: []              # such as vegetarian, vegan, halal, gluten-free
spice_tolerance: medium  # none, mild, medium, hot, extra-hot
favorite_cuisines: []
avoid_cuisines: []
has_car: true
max_distance_km: 10
budget: any              # free, inexpensive, moderate, expensive, any
accessibility: []        # such as step-free, quiet
notes: ""
`

// preference describes the values of a key in preferences.yaml.
type preference struct {
	key  string
	list bool
	read func(text string) (any, error) // parses a value that is not a list
}

var preferenceTable = []preference{
	{key: "dietary", list: true},
	{key: "favorite_cuisines", list: true},
	{key: "avoid_cuisines", list: true},
	{key: "accessibility", list: true},
	{key: "spice_tolerance", read: oneOf("none", "mild", "medium", "hot", "extra-hot")},
	{key: "has_car", read: readBool},
	{key: "max_distance_km", read: readDistance},
	{key: "budget", read: oneOf("free", "inexpensive", "moderate", "expensive", "any")},
	{key: "notes", read: func(text string) (any, error) { return text, nil }},
}

// PreferenceAction is a kind of change to a preference.
type PreferenceAction string

// AddPreference extends a list or "notes". For the remaining preferences, it is equivalent to
// SetPreference.
const (
	SetPreference    PreferenceAction = "set"
	AddPreference    PreferenceAction = "add"
	RemovePreference PreferenceAction = "remove"
)

// CreatePreferences writes the initial preferences of a profile, if it has none.
func CreatePreferences(p store.Profile) (path string, err error) {
	return p.Path("preferences.yaml"), editPreferences(p, func(text string) (string, error) { return text, nil })
}

// ChangePreference changes one value in preferences.yaml and returns the new value. All other bytes
// stay unchanged, including comments and the order of the keys.
func ChangePreference(p store.Profile, key string, action PreferenceAction, values []string) (now string, err error) {
	at := slices.IndexFunc(preferenceTable, func(known preference) bool { return known.key == key })
	if at < 0 {
		return "", fmt.Errorf("there is no preference %q", key)
	}
	err = editPreferences(p, func(text string) (string, error) {
		document, err := yamltext.Read(text)
		if err != nil {
			return "", fmt.Errorf("%s cannot be read: %w; nothing was changed; correct it with an editor", p.Path("preferences.yaml"), err)
		}
		value, err := preferenceTable[at].newValue(document.Value(key), action, values)
		if err != nil {
			return "", err
		}
		now = showPreference(value)
		return document.WithValue(key, value)
	})
	return now, err
}

// editPreferences locks preferences.yaml, passes its text to the given function, and writes the
// text that the function returns. If preferences.yaml is missing, the function receives the text of
// prefs.yaml. If both files are missing, the function receives the initial preferences. prefs.yaml
// is never changed.
func editPreferences(p store.Profile, edit func(text string) (string, error)) error {
	return p.Home.WithLock(p.Path("preferences.yaml"), func(path string) error {
		before, err := store.ReadWritten(path, store.PromptLimit)
		isNew := before == nil
		if isNew && err == nil {
			if before, err = store.ReadWritten(p.Path("prefs.yaml"), store.PromptLimit); before == nil {
				before = []byte(firstPreferences)
			}
		}
		if err != nil {
			return err
		}
		after, err := edit(string(before))
		if err != nil || !isNew && after == string(before) {
			return err
		}
		if isNew {
			p.Note("preferences", nil, []byte(after))
		} else {
			p.Note("preferences", before, []byte(after))
		}
		return store.Replace(path, []byte(after), store.Lasting)
	})
}

// newValue returns a []string, a string, a float64 or a bool.
func (pref preference) newValue(old any, action PreferenceAction, values []string) (any, error) {
	if pref.list {
		return changedList(pref.key, listOf(old), action, splitValues(values))
	}
	text := strings.TrimSpace(strings.Join(values, ", "))
	old, _ = old.(string)
	switch {
	case pref.key == "notes" && action == AddPreference && old != "" && text != "":
		return fmt.Sprintf("%s\n%s", old, text), nil
	case action == RemovePreference && pref.key == "notes":
		return "", nil
	case action == RemovePreference:
		return nil, fmt.Errorf("nothing can be removed from %s, which holds a single value; set it instead", pref.key)
	}
	return pref.read(text)
}

func changedList(key string, old []string, action PreferenceAction, values []string) ([]string, error) {
	has := func(list []string, value string) bool {
		return slices.ContainsFunc(list, func(known string) bool { return strings.EqualFold(known, value) })
	}
	if len(values) == 0 && action != SetPreference {
		return nil, fmt.Errorf("say what to %s", action)
	}
	list := old
	switch action {
	case RemovePreference:
		for _, value := range values {
			if !has(old, value) {
				return nil, fmt.Errorf("%s does not contain %q; its value is %s", key, value, showPreference(old))
			}
		}
		return slices.DeleteFunc(slices.Clone(old), func(known string) bool { return has(values, known) }), nil
	case SetPreference:
		list = nil
	}
	for _, value := range values {
		if !has(list, value) {
			list = append(list, value)
		}
	}
	return list, nil
}

// listOf converts a decoded list or a comma-separated string to a []string. Users and earlier
// versions of Marvin wrote both forms.
func listOf(value any) []string {
	switch value := value.(type) {
	case nil:
		return nil
	case []any:
		var texts []string
		for _, item := range value {
			texts = append(texts, fmt.Sprint(item))
		}
		return texts
	}
	return splitValues([]string{fmt.Sprint(value)})
}

func splitValues(values []string) []string {
	var parts []string
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			if part = strings.Join(strings.Fields(part), " "); part != "" {
				parts = append(parts, part)
			}
		}
	}
	return parts
}

func oneOf(allowed ...string) func(string) (any, error) {
	return func(text string) (any, error) {
		folded := strings.NewReplacer(" ", "-", "_", "-").Replace(strings.ToLower(text))
		if slices.Contains(allowed, folded) {
			return folded, nil
		}
		return nil, fmt.Errorf("%q is not one of %s", text, strings.Join(allowed, ", "))
	}
}

func readBool(text string) (any, error) {
	switch strings.ToLower(text) {
	case "true", "yes", "y", "on", "1":
		return true, nil
	case "false", "no", "n", "off", "0":
		return false, nil
	}
	return nil, fmt.Errorf("%q is neither true nor false", text)
}

func readDistance(text string) (any, error) {
	number := strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text), "km"))
	distance, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(distance) || distance <= 0 || distance > 20_000 {
		return nil, fmt.Errorf("%q is not a distance in kilometers between 0 and 20000", text)
	}
	return distance, nil
}

func showPreference(value any) string {
	switch value := value.(type) {
	case []string:
		if len(value) == 0 {
			return "(empty)"
		}
		return strings.Join(value, ", ")
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case string:
		if value == "" {
			return "(empty)"
		}
	}
	return fmt.Sprint(value)
}
