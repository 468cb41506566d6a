package persistence

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// promptLimit bounds each text that goes into the prompt as it is.
const promptLimit = 256 << 10

// Preferences is the text of preferences.yaml, or of prefs.yaml, as the TypeScript
// Marvin called it, if that is alone. Models read it as it is.
func (p Profile) Preferences() (string, error) {
	for _, name := range []string{"preferences.yaml", "prefs.yaml"} {
		file, _, err := openRegular(os.OpenFile, p.path(name))
		if err != nil {
			return "", fmt.Errorf("preferences: %w", err)
		}
		if file == nil {
			continue
		}
		if err := file.Close(); err != nil {
			return "", err
		}
		return readText(os.OpenFile, p.path(name), promptLimit)
	}
	return "", nil
}

// Place is one entry of saved_places.json. A coordinate that is absent is nil: 0
// is a place in the Gulf of Guinea.
type Place struct {
	Label     string      `json:"label"`
	Name      string      `json:"name"`
	Address   string      `json:"address"`
	Phone     string      `json:"phone"`
	Website   string      `json:"website"`
	Lat       *Coordinate `json:"lat"`
	Lng       *Coordinate `json:"lng"`
	Notes     string      `json:"notes"`
	UpdatedAt string      `json:"updated_at"`
}

// Coordinate is in degrees. It is also read from a string, which hand-made files have.
type Coordinate float64

// UnmarshalJSON reads a number or a string with one.
func (c *Coordinate) UnmarshalJSON(data []byte) error {
	number, err := strconv.ParseFloat(strings.Trim(string(data), `" `), 64)
	if err != nil {
		return fmt.Errorf("a coordinate must be a number of degrees, not %s", data)
	}
	*c = Coordinate(number)
	return nil
}

// Places reads saved_places.json. If some entries cannot be read, the others are
// returned together with an error.
func (p Profile) Places() ([]Place, error) {
	path := p.path("saved_places.json")
	data, err := readWhole(path, documentLimit)
	if err != nil || len(strings.TrimSpace(string(data))) == 0 {
		return nil, err
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(data, &entries); err != nil {
		return nil, &DamagedError{Path: path, Err: err}
	}
	var places []Place
	for i, entry := range entries {
		var place Place
		if wrong := json.Unmarshal(entry, &place); wrong != nil {
			err = fmt.Errorf("%s: entry %d is left out: %w", path, i+1, wrong)
			continue
		}
		places = append(places, place)
	}
	return places, err
}
