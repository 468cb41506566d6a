package persistence

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Alarm is one file alarms/<label>.json, as the TypeScript Marvin has them, or a
// reminder of the calendar, calendar_reminders/<label>.json.
type Alarm struct {
	Label    string
	Message  string
	Time     time.Time
	Profile  string // whose topics are told
	Reminder bool
}

// alarmFile is an alarm on disk. The first three keys are the TypeScript Marvin's.
type alarmFile struct {
	Label   string `json:"label"`
	Message string `json:"message"`
	Time    string `json:"time"` // ISO 8601
	Profile string `json:"profile,omitempty"`
}

const (
	alarmsDir    = "alarms"
	remindersDir = "calendar_reminders"
)

var (
	// ErrAlarmTaken means that an alarm of that label is set.
	ErrAlarmTaken = errors.New("that alarm is set already; cancel it first, or choose another name")
	// ErrNoAlarm means that no alarm has that label.
	ErrNoAlarm = errors.New("no such alarm")
)

// AlarmScript is where the Python Marvin kept the script of an alarm.
func (h *Home) AlarmScript(label string) string { return h.path(alarmsDir, label+".sh") }

// ReminderScript is where the Python Marvin kept the script of a reminder.
func (h *Home) ReminderScript(label string) string { return h.path(remindersDir, label+".sh") }

// Alarms reads all alarms and reminders, the next one first. If some cannot be read,
// the others are returned together with an error.
func (h *Home) Alarms() (alarms []Alarm, err error) {
	if h.State == "" {
		return nil, nil
	}
	for _, dir := range []string{alarmsDir, remindersDir} {
		entries, failed := os.ReadDir(h.path(dir))
		if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		for _, entry := range entries {
			label, isAlarm := strings.CutSuffix(entry.Name(), ".json")
			if !isAlarm || label == "" || label[0] == '.' {
				continue
			}
			alarm, failed := h.readAlarm(dir, label)
			if failed == nil {
				alarms = append(alarms, alarm)
			} else if !errors.Is(failed, ErrNoAlarm) { // taken this moment
				err = errors.Join(err, failed)
			}
		}
	}
	slices.SortStableFunc(alarms, func(a, b Alarm) int { return a.Time.Compare(b.Time) })
	return alarms, err
}

func (h *Home) readAlarm(dir, label string) (Alarm, error) {
	path := h.path(dir, label+".json")
	data, err := readWhole(path, 64<<10)
	if err != nil {
		return Alarm{}, err
	}
	if data == nil {
		return Alarm{}, ErrNoAlarm
	}
	var file alarmFile
	if err := json.Unmarshal(data, &file); err != nil {
		return Alarm{}, &DamagedError{Path: path, Err: err}
	}
	due, err := time.Parse(time.RFC3339, file.Time)
	if err != nil {
		return Alarm{}, &DamagedError{Path: path, Err: err}
	}
	// The name of the file counts, because it is what takes the alarm away.
	return Alarm{Label: label, Message: file.Message, Time: due, Profile: file.Profile, Reminder: dir == remindersDir}, nil
}

// SaveAlarm keeps an alarm. The error of a label that is taken is [ErrAlarmTaken].
func (h *Home) SaveAlarm(alarm Alarm) (err error) {
	dir := alarmsDir
	if alarm.Reminder {
		dir = remindersDir
	}
	if !singleElement(alarm.Label) || alarm.Label[0] == '.' {
		return fmt.Errorf("%q cannot be the name of an alarm", alarm.Label)
	}
	// One lock for the directory: a lock for each alarm would leave a file of each.
	_, unlock, err := h.lockFile(h.path(dir, dir), lockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	path := h.path(dir, alarm.Label+".json")
	if _, err := os.Lstat(path); err == nil {
		return ErrAlarmTaken
	}
	file := alarmFile{Label: alarm.Label, Message: alarm.Message, Time: alarm.Time.Format(time.RFC3339), Profile: alarm.Profile}
	data, err := encode(file, nil)
	if err != nil {
		return err
	}
	return replace(path, data, lasting)
}

// TakeAlarm takes an alarm or reminder away. Of several who try at the same time one
// succeeds, so the one who does is the one to ring it; the others get [ErrNoAlarm].
func (h *Home) TakeAlarm(label string) (Alarm, error) {
	if h.State == "" || !singleElement(label) {
		return Alarm{}, ErrNoAlarm
	}
	for _, dir := range []string{alarmsDir, remindersDir} {
		alarm, err := h.readAlarm(dir, label)
		if errors.Is(err, ErrNoAlarm) {
			continue
		}
		if err != nil {
			return Alarm{}, err
		}
		err = os.Remove(h.path(dir, label+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			return Alarm{}, ErrNoAlarm
		}
		if err == nil {
			// guard: a taken alarm stays taken
			err = syncDir(h.path(dir)) // or a power cut brings it back to ring once more
		}
		return alarm, err
	}
	return Alarm{}, ErrNoAlarm
}

// Alarm reads one alarm or reminder.
func (h *Home) Alarm(label string) (Alarm, error) {
	if h.State == "" || !singleElement(label) {
		return Alarm{}, ErrNoAlarm
	}
	alarm, err := h.readAlarm(alarmsDir, label)
	if errors.Is(err, ErrNoAlarm) {
		alarm, err = h.readAlarm(remindersDir, label)
	}
	return alarm, err
}

// LockCrontab makes the caller the only Marvin that changes the crontab.
func (h *Home) LockCrontab() (unlock func() error, err error) {
	_, unlock, err = h.lockFile(h.path("crontab"), lockWait)
	return unlock, err
}

// RemoveScript takes away the script of an alarm or reminder of the Python Marvin.
func (h *Home) RemoveScript(path string) error {
	if dir := filepath.Dir(path); dir != h.path(alarmsDir) && dir != h.path(remindersDir) || filepath.Ext(path) != ".sh" {
		return fmt.Errorf("%s is no script of an alarm", path)
	}
	return removeIfThere(path)
}
