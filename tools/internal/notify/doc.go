// Package notify shows a notification on the user's desktop.
//
// It calls org.freedesktop.Notifications on the session bus itself, because notify-send is often
// missing. It uses notify-send only if the bus fails. A program started by cron has no bus address
// in its environment, so the package then tries the address that systemd gives every user.
package notify
