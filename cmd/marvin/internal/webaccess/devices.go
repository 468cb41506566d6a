package webaccess

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/ui/web"
)

// Device is a paired browser on another machine. Only a digest of the browser's secret is stored.
type Device struct {
	ID     string              `json:"id"`
	Name   string              `json:"name"`
	From   string              `json:"from"`
	Role   messages.WindowRole `json:"role"`
	Added  time.Time           `json:"added"`
	Digest string              `json:"digest"` // SHA-256 of the secret, in hexadecimal
}

// Devices is the stored list of paired devices. It implements [web.Devices].
type Devices struct {
	Home *persistence.Home

	mu   sync.Mutex
	read time.Time
	all  []Device
}

const mostDevices = 50

// rereadAfter is how long the list of devices is used before it is read again. A revoked device
// keeps its access for at most this time.
const rereadAfter = time.Second

func dir(home *persistence.Home) (string, error) {
	if home.Data == "" {
		return "", persistence.ErrNoHome
	}
	return filepath.Join(home.Data, "web"), nil
}

func digestOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func decode(path, text string) (all []Device, err error) {
	if text == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, &persistence.DamagedError{Path: path, Err: err}
	}
	return all, nil
}

// All returns the devices in the order in which they were paired.
func (d *Devices) All() ([]Device, error) {
	place, err := dir(d.Home)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(place, "devices.json")
	text, err := persistence.ReadText(path)
	if err != nil {
		return nil, err
	}
	return decode(path, text)
}

// change replaces the stored devices with the devices that edit returns. The file is locked during
// the call.
func (d *Devices) change(edit func(all []Device) ([]Device, error)) error {
	place, err := dir(d.Home)
	if err != nil {
		return err
	}
	path := filepath.Join(place, "devices.json")
	defer d.stale()
	return persistence.ChangeText(d.Home, path, func(text string) (string, error) {
		all, err := decode(path, text)
		if err != nil {
			return "", err
		}
		if all, err = edit(all); err != nil {
			return "", err
		}
		encoded, err := json.MarshalIndent(all, "", "  ")
		return string(encoded) + "\n", err
	})
}

func (d *Devices) stale() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.read = time.Time{}
}

// Add implements [web.Devices].
func (d *Devices) Add(device web.Device, secret string) error {
	return d.change(func(all []Device) ([]Device, error) {
		if len(all) >= mostDevices {
			return nil, fmt.Errorf("%d devices are paired, which is the limit; to remove one, run marvin web devices revoke ID", len(all))
		}
		return append(all, Device{
			ID: strings.ToLower(rand.Text()[:6]), Name: device.Name, From: device.From, Role: device.Role, Added: d.Home.Now().UTC(), Digest: digestOf(secret),
		}), nil
	})
}

// Known implements [web.Devices]. If the list cannot be read, no device is known.
func (d *Devices) Known(secret string) (messages.WindowRole, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if now := d.Home.Now(); d.read.IsZero() || now.Sub(d.read) > rereadAfter {
		all, err := d.All()
		if err != nil {
			all = nil
		}
		d.all, d.read = all, now
	}
	digest := digestOf(secret) // the secret has 256 random bits, so the time of the comparison reveals nothing
	at := slices.IndexFunc(d.all, func(one Device) bool { return one.Digest == digest })
	if at < 0 || d.all[at].Role.Check() != nil {
		return "", false
	}
	return d.all[at].Role, true
}

// Revoke removes a device by its id.
func (d *Devices) Revoke(id string) error {
	return d.change(func(all []Device) ([]Device, error) {
		at := slices.IndexFunc(all, func(one Device) bool { return one.ID == id })
		if at < 0 {
			return nil, fmt.Errorf("no device has the id %q; to list the devices, run marvin web devices", id)
		}
		return slices.Delete(all, at, at+1), nil
	})
}
