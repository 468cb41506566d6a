package personal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"marvin/persistence/internal/store"
)

// ErrProfileName reports an invalid profile name.
var ErrProfileName = errors.New("the name of a profile has up to 64 letters, digits, - or _, such as alex or work_trips")

// ProfileName returns the name of a profile's directory: the given name in lower case, with _ for
// spaces.
func ProfileName(text string) (string, error) {
	name := strings.ToLower(strings.Join(strings.Fields(text), "_"))
	fits := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '-' || r == '_'
	}
	switch {
	case name == "" || utf8.RuneCountInString(name) > 64 || len(name) > 200:
	case strings.ContainsFunc(name, func(r rune) bool { return !fits(r) && r != '.' }) || name[0] == '.':
	case name == "last_profile": // a file of Marvin's TypeScript version has this name
	default:
		return name, nil
	}
	return "", fmt.Errorf("%q cannot be a profile: %w", text, ErrProfileName)
}

// Profiles returns the sorted names of the profiles.
func Profiles(h *store.Home) ([]string, error) {
	path := h.Path("profiles")
	if path == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the profiles: %w", err)
	}
	var names []string
	for _, entry := range entries {
		if info, err := os.Stat(h.Path("profiles", entry.Name())); err == nil && info.IsDir() && store.SingleElement(entry.Name()) && entry.Name()[0] != '.' {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// SwitchProfile selects a profile and remembers it for the next time that Marvin starts. If the
// profile does not exist, SwitchProfile creates it with default preferences.
func SwitchProfile(h *store.Home, text string) (profile store.Profile, isNew bool, err error) {
	name, err := ProfileName(text)
	if err != nil {
		return store.Profile{}, false, err
	}
	known, err := Profiles(h)
	if err != nil {
		return store.Profile{}, false, err
	}
	isNew = true
	for _, other := range known {
		if spelled, err := ProfileName(other); err == nil && spelled == name {
			name, isNew = other, false // the user may have created the directory with another spelling, such as "Alex"
			break
		}
	}
	profile = h.Profile(name)
	if isNew {
		if _, err := CreatePreferences(profile); err != nil {
			return profile, isNew, fmt.Errorf("make the profile %s: %w", name, err)
		}
	}
	return profile, isNew, h.Write(h.Path("last_profile"), []byte(name), store.Lasting)
}
