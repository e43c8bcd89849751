//! What is reported once, because it would draw wrong without a word?

#[cfg(feature = "bevy_reflect")]
use {
    crate::smooth::Smooth, alloc::vec::Vec, bevy_ecs::archetype::ArchetypeGeneration,
    bevy_ecs::component::ComponentId, bevy_ecs::prelude::*, bevy_ecs::reflect::AppTypeRegistry,
};

extern crate alloc;

/// Something of this crate is used in a world of an app, and nothing draws it.
pub(crate) fn no_plugin(what: &str) {
    log::error!("{what} does nothing without PortamentoPlugin: add that to the app, before what uses it.");
}

pub(crate) fn no_transform_plugin() {
    log::error!(
        "PortamentoPlugin: Bevy's TransformPlugin is missing, so no GlobalTransform follows its Transform. \
         Add DefaultPlugins, or TransformPlugin."
    );
}

/// Components of plugins that ease `Transform` as well: crate, type, and what to remove.
#[cfg(feature = "bevy_reflect")]
const OTHERS: [(&str, &str, &str); 4] = [
    (
        "bevy_transform_interpolation",
        "TranslationEasingState",
        "TransformInterpolation or TransformExtrapolation",
    ),
    (
        "bevy_transform_interpolation",
        "RotationEasingState",
        "TransformInterpolation or TransformExtrapolation",
    ),
    ("bevy_transform_interpolation", "ScaleEasingState", "TransformInterpolation or TransformExtrapolation"),
    ("bevy_rapier", "TransformInterpolation", "TransformInterpolation"),
];

#[cfg(feature = "bevy_reflect")]
#[derive(Default)]
pub(crate) struct Watched {
    components: usize,
    others: Vec<(ComponentId, &'static str, &'static str)>,
    archetypes: Option<ArchetypeGeneration>,
    is_reported: bool,
}

/// Whether there are entities of a new kind, or new components.
#[cfg(feature = "bevy_reflect")]
pub(crate) fn are_kinds_new(world: &World, mut last: Local<Option<(ArchetypeGeneration, usize)>>) -> bool {
    let now = Some((world.archetypes().generation(), world.components().len()));
    core::mem::replace(&mut *last, now) != now
}

/// Two plugins on one entity take each other's picture for the truth. The other one is known by its registered types.
#[cfg(feature = "bevy_reflect")]
pub(crate) fn second_plugin(world: &World, mut watched: Local<Watched>) {
    if watched.is_reported {
        return;
    }
    let components = world.components();
    if components.len() != watched.components {
        watched.components = components.len();
        watched.others.clear();
        watched.archetypes = None;
        let Some(types) = world.get_resource::<AppTypeRegistry>() else { return };
        for registration in types.read().iter() {
            let path = registration.type_info().type_path_table();
            let other = OTHERS.iter().find(|(krate, name, _)| {
                path.crate_name().is_some_and(|known| known.starts_with(krate)) && path.ident() == Some(name)
            });
            if let Some((_, name, cure)) = other
                && let Some(id) = components.get_id(registration.type_id())
            {
                watched.others.push((id, name, cure));
            }
        }
    }
    let Some(smooth) = components.component_id::<Smooth>() else { return };
    if watched.others.is_empty() {
        return;
    }
    let first = watched.archetypes.unwrap_or(ArchetypeGeneration::initial());
    let Watched { others, is_reported, .. } = &mut *watched;
    for archetype in world.archetypes()[first..].iter().filter(|archetype| archetype.contains(smooth)) {
        if let Some((_, name, cure)) = others.iter().find(|(id, ..)| archetype.contains(*id))
            && !*is_reported
        {
            log::error!(
                "bevy_portamento: an entity has Smooth and {name}. Two plugins that smooth one Transform take each \
                 other's picture for the truth. Remove {cure} from it, or Smooth."
            );
            *is_reported = true;
        }
    }
    watched.archetypes = Some(world.archetypes().generation());
}
