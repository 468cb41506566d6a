package personal

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

	"marvin/persistence/internal/store"
)

// Alarms manages a user's alarms and reminders. Each alarm or reminder has its own file.
type Alarms struct{ home *store.Home }

// AlarmsOf returns the alarms and reminders of one user.
func AlarmsOf(h *store.Home) Alarms { return Alarms{h} }

// Alarm is an alarm (alarms/<label>.json, as in Marvin's TypeScript version) or a calendar reminder
// (calendar_reminders/<label>.json).
type Alarm struct {
	Label    string
	Message  string
	Time     time.Time
	Profile  string // the profile whose ntfy topics receive the alarm
	Reminder bool
}

// alarmFile is an alarm on disk. The first three keys come from the TypeScript version of Marvin.
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
	// ErrAlarmTaken reports that the label of a new alarm or reminder is taken.
	ErrAlarmTaken = errors.New("that alarm is already set; cancel it first, or choose another name")
	// ErrNoAlarm reports that no alarm or reminder has the given label.
	ErrNoAlarm = errors.New("no such alarm")
)

// dirs returns the directories in which Marvin's Python version kept scripts. The second one is in
// Marvin's former directory, to which crontab entries may refer.
func (a Alarms) dirs(name string) []string {
	if a.home.State == "" {
		return nil
	}
	return []string{a.home.Path(name), filepath.Join(a.home.User, ".config", "local-finder", name)}
}

// IsAlarmScript reports whether command is the path of the script that Marvin's Python version
// wrote for the alarm with the given label.
func (a Alarms) IsAlarmScript(command, label string) bool {
	return filepath.Base(command) == label+".sh" && slices.Contains(a.dirs(alarmsDir), filepath.Dir(command))
}

// IsScript is like [Alarms.IsAlarmScript], but also recognizes the scripts of reminders.
func (a Alarms) IsScript(command, label string) bool {
	return a.IsAlarmScript(command, label) || filepath.Base(command) == label+".sh" && slices.Contains(a.dirs(remindersDir), filepath.Dir(command))
}

// All returns all alarms and reminders, sorted by the time at which they ring. If a file cannot be
// read, the result contains the alarms of the other files, and the error is not nil.
func (a Alarms) All() (alarms []Alarm, err error) {
	if a.home.State == "" {
		return nil, nil
	}
	for _, dir := range []string{alarmsDir, remindersDir} {
		entries, failed := os.ReadDir(a.home.Path(dir))
		if failed != nil && !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
		for _, entry := range entries {
			label, isAlarm := strings.CutSuffix(entry.Name(), ".json")
			if !isAlarm || label == "" || label[0] == '.' {
				continue
			}
			alarm, failed := a.read(dir, label)
			if failed == nil {
				alarms = append(alarms, alarm)
			} else if !errors.Is(failed, ErrNoAlarm) { // ErrNoAlarm: another process took the alarm
				err = errors.Join(err, failed)
			}
		}
	}
	slices.SortStableFunc(alarms, func(a, b Alarm) int { return a.Time.Compare(b.Time) })
	return alarms, err
}

func (a Alarms) read(dir, label string) (Alarm, error) {
	path := a.home.Path(dir, label+".json")
	data, err := store.ReadWhole(path, 64<<10)
	if err != nil {
		return Alarm{}, err
	}
	if data == nil {
		return Alarm{}, ErrNoAlarm
	}
	var file alarmFile
	if err := json.Unmarshal(data, &file); err != nil {
		return Alarm{}, &store.DamagedError{Path: path, Err: err}
	}
	due, err := time.Parse(time.RFC3339, file.Time)
	if err != nil {
		return Alarm{}, &store.DamagedError{Path: path, Err: err}
	}
	// Take finds an alarm by its file name, so file.Label is ignored.
	return Alarm{Label: label, Message: file.Message, Time: due, Profile: file.Profile, Reminder: dir == remindersDir}, nil
}

// Save stores a new alarm. It returns [ErrAlarmTaken] if the label is taken.
func (a Alarms) Save(alarm Alarm) (err error) {
	dir := alarmsDir
	if alarm.Reminder {
		dir = remindersDir
	}
	if !store.SingleElement(alarm.Label) || alarm.Label[0] == '.' {
		return fmt.Errorf("%q cannot be the name of an alarm", alarm.Label)
	}
	// The directory has a single lock, because a lock per alarm would leave a lock file for each.
	return a.home.WithLock(a.home.Path(dir, dir), func(string) error {
		path := a.home.Path(dir, alarm.Label+".json")
		if _, err := os.Lstat(path); err == nil {
			return ErrAlarmTaken
		}
		file := alarmFile{Label: alarm.Label, Message: alarm.Message, Time: alarm.Time.Format(time.RFC3339), Profile: alarm.Profile}
		data, err := store.Encode(file, nil)
		if err != nil {
			return err
		}
		return store.Replace(path, data, store.Lasting)
	})
}

// Take removes an alarm or reminder and returns it. If several processes take the same alarm at
// once, only one succeeds, and the others get [ErrNoAlarm]. So the alarm rings only once.
func (a Alarms) Take(label string) (Alarm, error) {
	if a.home.State == "" || !store.SingleElement(label) {
		return Alarm{}, ErrNoAlarm
	}
	for _, dir := range []string{alarmsDir, remindersDir} {
		alarm, err := a.read(dir, label)
		if errors.Is(err, ErrNoAlarm) {
			continue
		}
		if err != nil {
			return Alarm{}, err
		}
		err = os.Remove(a.home.Path(dir, label+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			return Alarm{}, ErrNoAlarm
		}
		if err == nil {
			err = store.SyncDir(a.home.Path(dir)) // otherwise the alarm could ring again after a power cut
		}
		return alarm, err
	}
	return Alarm{}, ErrNoAlarm
}

// Get returns the alarm or reminder that has the given label.
func (a Alarms) Get(label string) (Alarm, error) {
	if a.home.State == "" || !store.SingleElement(label) {
		return Alarm{}, ErrNoAlarm
	}
	alarm, err := a.read(alarmsDir, label)
	if errors.Is(err, ErrNoAlarm) {
		alarm, err = a.read(remindersDir, label)
	}
	return alarm, err
}

// LockCrontab locks the crontab against changes by other Marvin processes.
func (a Alarms) LockCrontab() (unlock func() error, err error) {
	_, unlock, err = a.home.LockFile(a.home.Path("crontab"), store.LockWait)
	return unlock, err
}

// RemoveScript removes a script that Marvin's Python version wrote for an alarm or a reminder.
func (a Alarms) RemoveScript(path string) error {
	if !a.IsScript(path, strings.TrimSuffix(filepath.Base(path), ".sh")) {
		return fmt.Errorf("%s is not an alarm script", path)
	}
	return store.RemoveIfThere(path)
}
