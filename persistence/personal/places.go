package personal

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marvin/persistence/internal/store"
)

// Place is one entry of saved_places.json. A missing coordinate is nil, because 0 is a valid
// coordinate.
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

// Coordinate is a latitude or longitude in degrees.
type Coordinate float64

// UnmarshalJSON accepts a number with or without quotation marks, because some files are
// hand-written.
func (c *Coordinate) UnmarshalJSON(data []byte) error {
	number, err := strconv.ParseFloat(strings.Trim(string(data), `" `), 64)
	if err != nil {
		return fmt.Errorf("a coordinate must be a number of degrees, not %s", data)
	}
	*c = Coordinate(number)
	return nil
}

// Places reads saved_places.json. If an entry cannot be read, the result contains the other
// entries, and the error is not nil.
func Places(p store.Profile) ([]Place, error) { return store.LoadAs[Place](placeList(p)) }

func placeList(p store.Profile) store.List {
	return store.List{Home: p.Home, Path: p.Path("saved_places.json"), Note: p.ChangeReporter("places")}
}

// PlaceChange describes changes to a place. A nil field changes nothing, and an empty string
// removes a value. Lat and Lng are ignored unless both are set.
type PlaceChange struct {
	Name, Address, Phone, Website, Notes *string
	Lat, Lng                             *float64
}

// ErrNoPlace reports that no place has the given label.
var ErrNoPlace = errors.New("no such saved place")

// PlaceLabel converts a label to lower case with single spaces. Labels are stored and compared in
// this form.
func PlaceLabel(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// SavePlace changes or adds the place with the given label. total is the number of places after the
// change.
func SavePlace(p store.Profile, label string, change PlaceChange) (isNew bool, total int, err error) {
	label = PlaceLabel(label)
	err = placeList(p).Update(func(entries []json.RawMessage) ([]json.RawMessage, error) {
		at := -1
		for i, entry := range entries {
			if labelOf(entry) == label {
				at = i
				break
			}
		}
		if isNew = at < 0; isNew {
			begun, err := store.WithKey(json.RawMessage("{}"), "label", label)
			if err != nil {
				return nil, err
			}
			at, entries = len(entries), append(entries, begun)
		}
		changed, err := change.apply(entries[at])
		if err == nil {
			changed, err = store.WithKey(changed, "updated_at", p.Home.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00"))
		}
		entries[at], total = changed, len(entries)
		return entries, err
	})
	return isNew, total, err
}

// RemovePlace removes the place with the given label and returns how many places are left.
func RemovePlace(p store.Profile, label string) (left int, err error) {
	label = PlaceLabel(label)
	err = placeList(p).Update(func(entries []json.RawMessage) ([]json.RawMessage, error) {
		var kept []json.RawMessage
		for _, entry := range entries {
			if labelOf(entry) != label {
				kept = append(kept, entry)
			}
		}
		left = len(kept)
		if left == len(entries) {
			return nil, fmt.Errorf("%w: %q", ErrNoPlace, label)
		}
		return kept, nil
	})
	return left, err
}

func labelOf(entry json.RawMessage) string {
	var place struct {
		Label any `json:"label"`
	}
	if json.Unmarshal(entry, &place) != nil {
		return ""
	}
	text, _ := place.Label.(string)
	return PlaceLabel(text)
}

// apply assigns the values of change to the keys of an entry, in the order used by earlier versions
// of Marvin.
func (change PlaceChange) apply(entry json.RawMessage) (json.RawMessage, error) {
	var err error
	set := func(key string, value any) {
		if err == nil {
			entry, err = store.WithKey(entry, key, value)
		}
	}
	text := func(key string, value *string) {
		if value != nil {
			set(key, strings.TrimSpace(*value))
		}
	}
	text("name", change.Name)
	text("address", change.Address)
	text("phone", change.Phone)
	text("website", change.Website)
	if change.Lat != nil && change.Lng != nil {
		set("lat", *change.Lat)
		set("lng", *change.Lng)
	}
	text("notes", change.Notes)
	return entry, err
}
