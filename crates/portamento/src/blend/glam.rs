//! glam's types, for every version that is asked for. Written once; a version is one line at the end, here and in
//! `glam_displace.rs`.

macro_rules! glam_version {
    ($feature:literal, $module:ident, $glam:ident) => {
        #[cfg(feature = $feature)]
        mod $module {
            use crate::blend::{Blend, Hermite, Pose, Pose2, Pose64, Rotation, Turn, Velocity2};
            use $glam::{DVec2, DVec3, Quat, Vec2, Vec3, Vec3A};

            macro_rules! vector {
                ($vector:ty, $array:ty) => {
                    impl Blend for $vector {
                        #[inline]
                        fn blend(&self, to: &Self, alpha: f64) -> Self {
                            Self::from_array(self.to_array().blend(&to.to_array(), alpha))
                        }

                        #[inline]
                        fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                            Self::from_array(self.to_array().extrapolate(&to.to_array(), beyond))
                        }

                        #[inline]
                        fn rests(&self, to: &Self) -> bool {
                            self.to_array().rests(&to.to_array())
                        }
                    }

                    impl Hermite for $vector {
                        type Velocity = Self;
                        type Curve = <$array as Hermite>::Curve;

                        fn curve(
                            from: &Self,
                            leaving: &Self,
                            to: &Self,
                            arriving: &Self,
                            span: f64,
                        ) -> Self::Curve {
                            Hermite::curve(
                                &from.to_array(),
                                &leaving.to_array(),
                                &to.to_array(),
                                &arriving.to_array(),
                                span,
                            )
                        }

                        fn on(curve: &Self::Curve, alpha: f64) -> Self {
                            Self::from_array(Hermite::on(curve, alpha))
                        }

                        fn velocity(from: &Self, to: &Self, span: f64) -> Self {
                            Self::from_array(Hermite::velocity(&from.to_array(), &to.to_array(), span))
                        }

                        fn advance(&self, velocity: &Self, seconds: f64) -> Self {
                            Self::from_array(self.to_array().advance(&velocity.to_array(), seconds))
                        }
                    }
                };
            }

            vector!(Vec2, [f32; 2]);
            vector!(Vec3, [f32; 3]);
            vector!(Vec3A, [f32; 3]);
            vector!(DVec2, [f64; 2]);
            vector!(DVec3, [f64; 3]);

            impl From<Quat> for Rotation {
                fn from(q: Quat) -> Self {
                    Rotation { x: q.x, y: q.y, z: q.z, w: q.w }
                }
            }

            impl From<Rotation> for Quat {
                fn from(r: Rotation) -> Self {
                    Quat::from_xyzw(r.x, r.y, r.z, r.w)
                }
            }

            impl Blend for Quat {
                #[inline]
                fn blend(&self, to: &Self, alpha: f64) -> Self {
                    Rotation::from(*self).nlerp((*to).into(), alpha).into()
                }

                #[inline]
                fn extrapolate(&self, to: &Self, beyond: f64) -> Self {
                    Rotation::from(*self).extrapolate(&(*to).into(), beyond).into()
                }

                #[inline]
                fn rests(&self, to: &Self) -> bool {
                    self.to_array().rests(&to.to_array())
                }
            }

            impl Hermite for Quat {
                /// Axis times radians per second, in world axes.
                type Velocity = Vec3;
                type Curve = <Rotation as Hermite>::Curve;

                fn curve(from: &Self, leaving: &Vec3, to: &Self, arriving: &Vec3, span: f64) -> Self::Curve {
                    let (leaving, arriving) = (leaving.to_array(), arriving.to_array());
                    Rotation::curve(&(*from).into(), &leaving, &(*to).into(), &arriving, span)
                }

                fn on(curve: &Self::Curve, alpha: f64) -> Self {
                    Rotation::on(curve, alpha).into()
                }

                fn velocity(from: &Self, to: &Self, span: f64) -> Vec3 {
                    Vec3::from_array(Rotation::velocity(&(*from).into(), &(*to).into(), span))
                }

                fn advance(&self, velocity: &Vec3, seconds: f64) -> Self {
                    Rotation::from(*self).advance(&velocity.to_array(), seconds).into()
                }
            }

            impl From<(Vec3, Quat)> for Pose {
                fn from((position, rotation): (Vec3, Quat)) -> Self {
                    Pose::new(position.to_array(), rotation.into())
                }
            }

            impl From<Pose> for (Vec3, Quat) {
                fn from(pose: Pose) -> Self {
                    (Vec3::from_array(pose.position), pose.rotation.into())
                }
            }

            impl From<(DVec3, Quat)> for Pose64 {
                fn from((position, rotation): (DVec3, Quat)) -> Self {
                    Pose64::new(position.to_array(), rotation.into())
                }
            }

            impl From<Pose64> for (DVec3, Quat) {
                fn from(pose: Pose64) -> Self {
                    (DVec3::from_array(pose.position), pose.rotation.into())
                }
            }

            impl From<(Vec2, f32)> for Pose2 {
                /// Position, and the turn's angle in radians.
                fn from((position, angle): (Vec2, f32)) -> Self {
                    Pose2::new(position.to_array(), Turn::from_angle(angle))
                }
            }

            impl From<Pose2> for (Vec2, f32) {
                /// Position, and the turn's angle in radians, within -pi..=pi.
                fn from(pose: Pose2) -> Self {
                    (Vec2::from_array(pose.position), pose.turn.angle())
                }
            }

            impl From<(Vec2, f32)> for Velocity2 {
                /// Units per second, and radians per second.
                fn from((linear, angular): (Vec2, f32)) -> Self {
                    Velocity2 { linear: linear.to_array(), angular }
                }
            }

            #[test]
            fn glam_types_blend_like_arrays() {
                let v = Vec3::ZERO.blend(&Vec3::new(2.0, 4.0, 6.0), 0.5);
                assert_eq!(v, Vec3::new(1.0, 2.0, 3.0));
                let q = Quat::IDENTITY.blend(&Quat::from_rotation_z(1.0), 0.5);
                assert!(q.angle_between(Quat::from_rotation_z(0.5)) < 1e-3);
                let pose = Pose::from((v, q));
                assert_eq!(<(Vec3, Quat)>::from(pose), (v, q));
                let (position, angle) = <(Vec2, f32)>::from(Pose2::from((Vec2::new(1.0, 2.0), -0.7)));
                assert!(position == Vec2::new(1.0, 2.0) && (angle + 0.7).abs() < 1e-6);
                let velocity = Velocity2::from((Vec2::X, 3.0));
                assert_eq!(velocity, Velocity2 { linear: [1.0, 0.0], angular: 3.0 });
            }
        }
    };
}

glam_version!("glam_0_30", v0_30, glam_0_30);
glam_version!("glam_0_32", v0_32, glam_0_32);
glam_version!("glam_0_34", v0_34, glam_0_34);
